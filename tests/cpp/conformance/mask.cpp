#include "attn/mask.h"

#include "conformance/methods.h"
#include "conformance/options.h"

namespace attn::test::conformance {

std::optional<Tensors> mask(const Call& call) {
  const auto size = [&](const char* name) {
    const Tensor* const given = call.option(name);
    return given == nullptr ? std::size_t{1} : static_cast<std::size_t>(given->values[0]);
  };
  Shape shape;
  shape.batch = size("batch");
  shape.queryHeads = size("heads");
  shape.queries = size("queries");
  shape.keys = size("keys");
  const CallOptions options(call, shape);
  std::vector<std::uint8_t> cells(shape.batch * shape.queryHeads * shape.queries * shape.keys);
  if (visibleCells(shape, options.options.mask, cells.data()) != Status::ok) return std::nullopt;
  std::vector<std::size_t> sizes{shape.queries, shape.keys};
  if (call.option("batch") != nullptr) sizes.insert(sizes.begin(), {shape.batch, shape.queryHeads});
  return Tensors{{"itself", {sizes, {cells.begin(), cells.end()}}}};
}

}  // namespace attn::test::conformance
