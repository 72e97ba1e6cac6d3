#pragma once

#include <cstddef>
#include <vector>

#include "attn/kv_cache.h"
#include "support/call.h"
#include "support/random.h"

namespace attn::test {

/// Rows [from, from + count) of every matrix in [heads, length, width].
std::vector<float> rowsOf(const std::vector<float>& tensor, std::size_t heads, std::size_t width, std::size_t from,
                          std::size_t count);

KvCacheSettings settingsOf(const Shape& shape);

/// Appends keys and values [from, from + count) of a call.
Status append(KvCache& cache, const Call& call, std::size_t from, std::size_t count);

/// All outputs of `attend` with the queries of a call.
Result<float> attend(const KvCache& cache, const Call& call);

/// Fails the running test unless `attend` gives what the reference does with all of the call's keys and values
/// and the window of the cache besides that of the call.
void checkAgainstReference(const KvCache& cache, const Call& call);

/// At least 1.
double largestOf(const std::vector<float>& numbers);

/// Fails the running test at the first number that is further off; NaN is near NaN.
void checkClose(const char* name, const std::vector<float>& got, const std::vector<double>& want, double tolerance);

/// Normal numbers in queries, keys and values.
void fillNormal(Call& call, Random& random);

/// Grouped heads, odd widths, up to `most` keys and as many queries.
Shape randomCacheShape(Random& random, std::size_t most);

/// Single tokens mostly, or chunks of any size.
std::size_t randomChunk(Random& random, std::size_t rest);

}  // namespace attn::test
