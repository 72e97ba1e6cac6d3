#include "attn/kv_cache.h"

#include <emscripten/bind.h>

#include <cmath>
#include <memory>

#include "call.h"
#include "report.h"

/// JavaScript owns the caches: each is known to it by its address, until it disposes of it.
namespace attn::bindings {
namespace {

/// NaN stands for a number that was not given, ∞ for a reach without a limit.
struct CacheSettings {
  std::size_t batch = 1;
  std::size_t kvHeads = 1;
  std::size_t keyDim = 1;
  std::size_t valueDim = 1;
  bool half = false;
  double windowLeft = NAN;
  double windowRight = NAN;
  double capacity = NAN;
};

struct CacheState {
  double length = 0;
  double firstKey = 0;
  double bytes = 0;
  double sharedBytes = 0;
};

KvCache& cacheAt(Address cache) { return *at<KvCache>(cache); }

/// 0 if there is none.
Address handOver(std::unique_ptr<KvCache> cache) { return reinterpret_cast<Address>(cache.release()); }

Address createCache(const CacheSettings& from) {
  KvCacheSettings settings{
      from.batch, from.kvHeads, from.keyDim, from.valueDim, from.half ? KvType::f16 : KvType::f32, {}, {}};
  settings.window = windowOf(from.windowLeft, from.windowRight);
  if (!std::isnan(from.capacity)) settings.capacity = static_cast<std::size_t>(from.capacity);
  giveBackWorkspace();
  return handOver(KvCache::create(settings));
}

Address forkCache(Address cache) {
  giveBackWorkspace();
  return handOver(cacheAt(cache).fork());
}

void disposeCache(Address cache) { const std::unique_ptr<KvCache> owner(&cacheAt(cache)); }

CacheState stateOf(Address address) {
  const KvCache& cache = cacheAt(address);
  return {static_cast<double>(cache.length()), static_cast<double>(cache.firstKey()),
          static_cast<double>(cache.bytes()), static_cast<double>(cache.sharedBytes())};
}

/// Sets aside the pages first, and the memory of the call behind them.
Address prepareAppend(Address address, std::size_t count, double bytes) {
  KvCache& cache = cacheAt(address);
  if (!cache.hasReserved(count)) giveBackWorkspace();
  const Address base = cache.reserve(count) ? reserve(bytes, 0) : 0;
  if (base == 0) cache.release();
  return base;
}

std::uint8_t runAppend(Address cache, Address key, Address value, std::size_t count) {
  return static_cast<std::uint8_t>(cacheAt(cache).append(at<const float>(key), at<const float>(value), count));
}

Address prepareAttend(Address cache, double bytes) {
  return prepare(bytes,
                 [&](const Call& call) { return cacheAt(cache).attendWorkingBytes(call.shape(), call.options()); });
}

ReportNumbers runAttend(Address cache) {
  const Call& call = prepared();
  const Inputs inputs = call.inputs<float>();
  return numbersOf(
      cacheAt(cache).attend(call.shape(), inputs.query, inputs.bias, call.options(), outputsOf(call), workspace()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(kv_cache) {
  emscripten::value_object<CacheSettings>("CacheSettings")
      .field("batch", &CacheSettings::batch)
      .field("kvHeads", &CacheSettings::kvHeads)
      .field("keyDim", &CacheSettings::keyDim)
      .field("valueDim", &CacheSettings::valueDim)
      .field("half", &CacheSettings::half)
      .field("windowLeft", &CacheSettings::windowLeft)
      .field("windowRight", &CacheSettings::windowRight)
      .field("capacity", &CacheSettings::capacity);
  emscripten::value_object<CacheState>("CacheState")
      .field("length", &CacheState::length)
      .field("firstKey", &CacheState::firstKey)
      .field("bytes", &CacheState::bytes)
      .field("sharedBytes", &CacheState::sharedBytes);
  emscripten::function("_createCache", &createCache);
  emscripten::function("_forkCache", &forkCache);
  emscripten::function("_disposeCache", &disposeCache);
  emscripten::function("_cacheState", &stateOf);
  emscripten::function("_prepareAppend", &prepareAppend);
  emscripten::function("_append", &runAppend);
  emscripten::function("_prepareAttend", &prepareAttend);
  emscripten::function("_attend", &runAttend);
}

}  // namespace attn::bindings
