#pragma once

#include <cstddef>
#include <variant>

#include "attn/options.h"
#include "attn/reference.h"
#include "attn/shape.h"
#include "mask/position.h"

namespace attn::reference {

/// A call of attention that consists of one row of another one: query i of head h in batch entry b.
struct SingleRow {
  Shape shape;
  Inputs inputs;
  Options options;

  SingleRow(const Shape& whole, const Inputs& from, const Options& given, std::size_t b, std::size_t h, std::size_t i)
      : shape(whole), inputs(from), options(given) {
    shape.batch = shape.queryHeads = shape.kvHeads = shape.queries = 1;
    const std::size_t row = (b * whole.queryHeads + h) * whole.queries + i;
    const std::size_t source = (b * whole.kvHeads + whole.kvHeadOf(h)) * whole.keys;
    inputs.query += row * whole.queryWidth();
    inputs.key += source * whole.keyDim;
    inputs.value += source * whole.valueDim;
    if (inputs.bias.data != nullptr) inputs.bias.data = from.bias.at(b, h, i, 0);

    if (const auto* const scores = std::get_if<scoring::Given>(&given.scoring)) {
      options.scoring = scoring::Given{scores->scores + row * whole.keys};
    }
    MaskOptions& mask = options.mask;
    mask.queryOffset = queryOffsetOf(whole, given.mask) + static_cast<std::int64_t>(i / mask.queriesPerPosition);
    if (mask.keyLengths != nullptr) mask.keyLengths += b;
    if (mask.allowKeys.data != nullptr) mask.allowKeys.data += b * mask.allowKeys.batchStride;
    if (mask.allow.data != nullptr) mask.allow.data = given.mask.allow.at(b, h, i, 0);
    if (mask.blocks.allow != nullptr) {
      const std::size_t columns = mask.blocks.firstKey + whole.keys;
      const std::size_t perRow = columns / mask.blocks.keysPerBlock + (columns % mask.blocks.keysPerBlock != 0 ? 1 : 0);
      mask.blocks.allow += i / mask.blocks.queriesPerBlock * perRow;
    }
  }
};

}  // namespace attn::reference
