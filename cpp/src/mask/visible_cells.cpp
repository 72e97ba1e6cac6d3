#include "attn/mask.h"
#include "mask/mask_set.h"
#include "validate.h"

namespace attn {

Status visibleCells(const Shape& shape, const MaskOptions& options, std::uint8_t* cells) {
  if (const Status status = check(shape); status != Status::ok) return status;
  if (const Status status = check(options); status != Status::ok) return status;
  if (!shape.hasCells()) return Status::ok;
  if (const Status status = check(shape, sizeof(std::uint8_t), true); status != Status::ok) return status;

  const MaskSet masks(shape, options);
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t h = 0; h < shape.queryHeads; ++h) {
      for (std::size_t i = 0; i < shape.queries; ++i, cells += shape.keys) {
        masks.visible({b, h, i, 1, 0, shape.keys}, {cells, shape.keys});
      }
    }
  }
  return Status::ok;
}

}  // namespace attn
