#include "validate.h"

#include <cmath>

namespace attn {

Status check(const MaskOptions& options) {
  const Blocks& blocks = options.blocks;
  const bool wellFormed = blocks.allow == nullptr || (blocks.queriesPerBlock > 0 && blocks.keysPerBlock > 0);
  return wellFormed && options.queriesPerPosition > 0 ? Status::ok : Status::invalidOptions;
}

Status check(const Options& options) {
  if (options.scale && !std::isfinite(*options.scale)) return Status::invalidOptions;
  if (options.softcap && (!std::isfinite(*options.softcap) || *options.softcap <= 0)) return Status::invalidOptions;
  return check(options.mask);
}

}  // namespace attn
