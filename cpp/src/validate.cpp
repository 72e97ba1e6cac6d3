#include "validate.h"

#include <cmath>
#include <variant>

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

namespace {

using namespace scoring;

/// What must hold of each kind's parameters; and which kinds need queries as wide as keys.
struct WellFormed {
  bool operator()(const ScaledDot& /*kind*/) const { return true; }
  bool operator()(const Dot& /*kind*/) const { return true; }
  bool operator()(const General& kind) const { return kind.w != nullptr && std::isfinite(kind.b); }
  bool operator()(const Additive& kind) const {
    return kind.wq != nullptr && kind.wk != nullptr && kind.v != nullptr && kind.width > 0;
  }
  bool operator()(const Cosine& /*kind*/) const { return true; }
  bool operator()(const Linear& kind) const { return kind.w != nullptr && std::isfinite(kind.b); }
  bool operator()(const Trilinear& kind) const { return kind.w != nullptr && std::isfinite(kind.b); }
  bool operator()(const Given& /*kind*/) const { return true; }
};

template <class... Kinds>
bool isOneOf(const Scoring& scoring) {
  return (std::holds_alternative<Kinds>(scoring) || ...);
}

}  // namespace

Status check(const Shape& shape, const Scoring& scoring) {
  const bool widthsMayDiffer = isOneOf<General, Additive, Linear, Given>(scoring);
  if (!widthsMayDiffer && shape.queryWidth() != shape.keyDim) return Status::invalidShape;
  return std::visit(WellFormed{}, scoring) ? Status::ok : Status::invalidOptions;
}

Status check(const Shape& shape, const Options& options) {
  const Status status = check(options);
  return status == Status::ok ? check(shape, options.scoring) : status;
}

Status checkDifferentiable(const Shape& shape, const Options& options) {
  const Status status = check(shape, options);
  if (status != Status::ok) return status;
  return isOneOf<ScaledDot, Dot>(options.scoring) ? Status::ok : Status::invalidOptions;
}

}  // namespace attn
