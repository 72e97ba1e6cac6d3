#include "kv_cache/page_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "attn/half.h"
#include "tiled/kernel/pack.h"

namespace attn {

namespace {

using tiled::kMicroColumns;

float stored(const float* x, float* place) { return *place = *x; }

float stored(const float* x, std::uint16_t* place) { return fromHalf(*place = toHalf(double{*x})); }

/// Writes one key [d] into its lane of a panel. Gives its |k|, counting only finite numbers.
template <class T>
float writeKey(const float* key, std::size_t dim, T* lane) {
  float squares = 0;
  for (std::size_t c = 0; c < dim; ++c) {
    const float x = stored(key + c, lane + c * kMicroColumns);
    if (std::isfinite(x)) squares += x * x;
  }
  return std::sqrt(squares);
}

template <class T>
float writeKeys(const PageFormat& format, T* panels, std::size_t first, std::size_t count, const float* keys) {
  float largest = 0;
  for (std::size_t row = first; row < first + count; ++row, keys += format.keyDim) {
    T* const lane = panels + row / kMicroColumns * format.keyDim * kMicroColumns + row % kMicroColumns;
    largest = std::max(largest, writeKey(keys, format.keyDim, lane));
  }
  return largest;
}

/// Whole panels by the kernel's own packing, many keys at a time.
float writeKeys(const PageFormat& format, float* panels, std::size_t first, std::size_t count, const float* keys) {
  const std::size_t toPanel = std::min(count, (kMicroColumns - first % kMicroColumns) % kMicroColumns);
  const float largest = writeKeys<float>(format, panels, first, toPanel, keys);
  if (toPanel == count) return largest;
  return std::max(largest, tiled::packKeys(keys + toPanel * format.keyDim, count - toPanel, format.keyDim,
                                           panels + (first + toPanel) * format.keyDim));
}

template <class T>
void write(const PageFormat& format, Page& page, std::size_t head, std::size_t first, std::size_t count,
           const float* keys, const float* values) {
  float& norm = format.norm(page, head);
  norm = std::max(norm, writeKeys(format, format.keys<T>(page, head), first, count, keys));
  T* const panels = format.values<T>(page, head);
  for (std::size_t row = first; row < first + count; ++row, values += format.valueDim) {
    for (std::size_t c = 0; c < format.valueDim; ++c) stored(values + c, panels + PageFormat::valuePlace(row, c));
  }
}

}  // namespace

void writeRows(const PageFormat& format, Page& page, std::size_t head, std::size_t first, std::size_t count,
               const float* keys, const float* values) {
  const auto writeAs = format.type == KvType::f16 ? write<std::uint16_t> : write<float>;
  writeAs(format, page, head, first, count, keys, values);
}

}  // namespace attn
