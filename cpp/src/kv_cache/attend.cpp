#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/exact_size.h"
#include "attn/kv_cache.h"
#include "attn/scores.h"
#include "exact_scores.h"
#include "kv_cache/page_rows.h"
#include "kv_cache/pages.h"
#include "mask/position.h"
#include "scoring/head_vectors.h"
#include "tiled/plan.h"
#include "tiled/tile_loop.h"
#include "validate.h"

namespace attn {

namespace {

/// A call in which keys are counted from the first that is still there.
struct HeldCall {
  Shape shape;
  Options options;
  Broadcast<float> bias;
};

template <class T>
Broadcast<T> from(Broadcast<T> broadcast, std::size_t firstKey) {
  if (broadcast.data != nullptr) broadcast.data += firstKey * broadcast.strides[3];
  return broadcast;
}

std::optional<Window> both(std::optional<Window> a, std::optional<Window> b) {
  if (!a || !b) return a ? a : b;
  return Window{std::min(a->left, b->left), std::min(a->right, b->right)};
}

/// But for keyLengths.
HeldCall heldCall(const Shape& shape, const Options& options, const Broadcast<float>& bias, std::size_t firstKey) {
  HeldCall held{shape, options, from(bias, firstKey)};
  held.shape.keys -= firstKey;
  MaskOptions& mask = held.options.mask;
  mask.queryOffset = queryOffsetOf(shape, options.mask) - static_cast<std::int64_t>(firstKey);
  mask.allow = from(mask.allow, firstKey);
  if (mask.allowKeys.data != nullptr) mask.allowKeys.data += firstKey;
  mask.blocks.firstKey += firstKey;
  return held;
}

/// The heads of a group as the queries of one head, tensor axes [B, Hk, Hq/Hk, ·] in place of [B, Hq, 1, ·].
template <class T>
void joinHeads(Broadcast<T>& broadcast, std::size_t group) {
  broadcast.strides[2] = broadcast.strides[1];
  broadcast.strides[1] *= group;
}

/// With one query per head, a group's heads share all their masks by position, and one pass over the keys
/// serves them all.
void joinHeads(HeldCall& call) {
  Shape& shape = call.shape;
  if (shape.queries != 1) return;
  const std::size_t group = shape.queryHeads / shape.kvHeads;
  shape.queryHeads = shape.kvHeads;
  shape.queries = group;
  MaskOptions& mask = call.options.mask;
  mask.queriesPerPosition = group;
  mask.blocks.queriesPerBlock = group;
  joinHeads(mask.allow, group);
  joinHeads(call.bias, group);
}

tiled::Plan planOf(const Shape& shape) { return {shape, {0, kPageKeys}}; }

/// matrix [rows, held] to [rows, length] in place: keys that were let go are masked for every row. A row that is
/// NaN is so for all keys.
void insertLetGo(float* matrix, std::size_t rows, std::size_t held, std::size_t length, float masked) {
  if (matrix == nullptr || held == length) return;
  for (std::size_t r = rows; r-- > 0;) {
    const float* const row = matrix + r * held;
    const bool allNaN = std::all_of(row, row + held, [](float x) { return std::isnan(x); });
    std::copy_backward(row, row + held, matrix + (r + 1) * length);
    std::fill_n(matrix + r * length, length - held, allNaN ? std::numeric_limits<float>::quiet_NaN() : masked);
  }
}

void writeScores(const HeldCall& call, const KvPages& pages, const float* query, float* scores, Arena& arena) {
  const Shape& shape = call.shape;
  const Arena::Scope scope(arena);
  const scoring::Projection projection(shape, call.options.scoring);
  scoring::HeadVectors vectors(shape, projection, arena);
  PageRows rows(pages.format(), arena);
  const auto row = arena.take<double>(shape.keys);
  const auto visible = arena.take<std::uint8_t>(shape.keys);
  const ExactScores exact(shape, call.options, call.bias);
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t h = 0; h < shape.queryHeads; ++h) {
      const std::size_t kvHead = b * shape.kvHeads + shape.kvHeadOf(h);
      const auto keyAt = [&](std::size_t j) { return rows.key(j); };
      rows.reset({&pages.format(), pages.data(), kvHead});
      vectors.setKeys(kvHead, keyAt);
      for (std::size_t i = 0; i < shape.queries; ++i, query += shape.queryWidth(), scores += shape.keys) {
        const scoring::RowProducts products = vectors.products(b, h, i, query);
        exact.row(b, h, i, [&](std::size_t j) { return products.at(j, keyAt); }, row.data(), visible.data());
        for (std::size_t j = 0; j < shape.keys; ++j) scores[j] = static_cast<float>(row[j]);
      }
    }
  }
}

std::uint64_t scoresBytes(const HeldCall& call, const PageFormat& format) {
  const scoring::Projection projection(call.shape, call.options.scoring);
  return sumOf({scoring::HeadVectors::workingBytes(call.shape, projection), PageRows::workingBytes(format),
                Arena::paddedBytes<double>(call.shape.keys), Arena::paddedBytes<std::uint8_t>(call.shape.keys)});
}

void runTiles(const HeldCall& call, const KvPages& pages, const float* query, const Outputs& outputs, Arena& arena,
              Report& report) {
  const Shape& shape = call.shape;
  const tiled::Plan plan = planOf(shape);
  tiled::TileLoop loop(shape, call.options, call.bias, plan, {}, arena, &pages.format());
  const std::size_t group = shape.queryHeads / shape.kvHeads;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t kvHead = 0; kvHead < shape.kvHeads; ++kvHead) {
      loop.setKeyValueHead({nullptr, nullptr, {&pages.format(), pages.data(), b * shape.kvHeads + kvHead}});
      for (std::size_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
        const std::size_t row = (b * shape.queryHeads + h) * shape.queries;
        loop.run({b, h, query + row * shape.queryWidth(), outputs.output + row * shape.valueDim,
                  outputs.weights == nullptr ? nullptr : outputs.weights + row * shape.keys,
                  outputs.logSumExp == nullptr ? nullptr : outputs.logSumExp + row},
                 0, plan.queryTiles, report);
      }
    }
  }
}

}  // namespace

std::uint64_t KvCache::attendWorkingBytes(const Shape& shape, const Options& options) const {
  HeldCall call = heldCall(shape, options, {}, firstKey());
  joinHeads(call);
  return sumOf({Arena::paddedBytes<std::uint32_t>(shape.batch),
                std::max(tiled::TileLoop::workingBytes(call.shape, call.options, planOf(call.shape), &pages_->format()),
                         scoresBytes(call, pages_->format()))});
}

Report KvCache::attend(const Shape& shape, const float* query, const Broadcast<float>& bias, const Options& options,
                       const Outputs& outputs, Arena& arena) const {
  Report report;
  report.status = check(shape, sizeof(float), outputs.weights != nullptr || outputs.scores != nullptr);
  if (report.status == Status::ok) report.status = check(shape, options);
  if (report.status == Status::ok) report.status = checkAgainst(shape, options);
  if (report.status != Status::ok || !shape.hasRows()) return report;

  const Arena::Scope scope(arena);
  report.workingBytes = attendWorkingBytes(shape, options);
  if (!arena.reserve(report.workingBytes)) {
    report.status = Status::outOfMemory;
    return report;
  }

  HeldCall call = heldCall(shape, options, bias, firstKey());
  call.options.mask.window = both(options.mask.window, settings_.window);
  const auto keyLengths = arena.take<std::uint32_t>(shape.batch);
  if (options.mask.keyLengths != nullptr) {
    for (std::size_t b = 0; b < shape.batch; ++b) {
      const std::size_t all = options.mask.keyLengths[b];
      keyLengths[b] = static_cast<std::uint32_t>(all - std::min(all, firstKey()));
    }
    call.options.mask.keyLengths = keyLengths.data();
  }
  joinHeads(call);

  const std::size_t rows = shape.batch * shape.queryHeads * shape.queries;
  if (outputs.scores != nullptr) {
    writeScores(call, *pages_, query, outputs.scores, arena);
    insertLetGo(outputs.scores, rows, call.shape.keys, shape.keys, -std::numeric_limits<float>::infinity());
  }
  runTiles(call, *pages_, query, outputs, arena, report);
  insertLetGo(outputs.weights, rows, call.shape.keys, shape.keys, 0);
  return report;
}

Status KvCache::checkAgainst(const Shape& s, const Options& options) const {
  const Shape own = shape(s.queryHeads, s.queries);
  const bool same = s.batch == own.batch && s.kvHeads == own.kvHeads && s.keys == own.keys && s.keyDim == own.keyDim &&
                    s.valueDim == own.valueDim;
  if (!same) return Status::invalidShape;
  if (std::holds_alternative<scoring::Given>(options.scoring)) return Status::invalidOptions;
  if (!settings_.window) return Status::ok;
  if (options.emptyRows == EmptyRows::uniform) return Status::invalidOptions;
  if (firstKey() == 0 || s.queries == 0) return Status::ok;
  const std::size_t left = both(options.mask.window, settings_.window)->left;
  const std::int64_t firstSeen = queryOffsetOf(s, options.mask) - static_cast<std::int64_t>(left);
  return firstSeen < static_cast<std::int64_t>(firstKey()) ? Status::invalidOptions : Status::ok;
}

}  // namespace attn
