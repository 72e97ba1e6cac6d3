#include "attn/geometry.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "vector_length.h"

namespace attn {

namespace {

double dot(const double* a, const double* b, std::size_t dim) { return std::inner_product(a, a + dim, b, 0.0); }

/// Half the tangent, by the difference and the sum of the unit vectors (Kahan): exact to the last
/// digits for small angles too, where the arc cosine loses half of them.
double angleBetween(const double* a, double lengthA, const double* b, double lengthB, std::size_t dim) {
  if (lengthA == 0 || lengthB == 0) return std::numeric_limits<double>::quiet_NaN();
  double difference = 0;
  double sum = 0;
  for (std::size_t c = 0; c < dim; ++c) {
    const double x = a[c] / lengthA;
    const double y = b[c] / lengthB;
    difference += (x - y) * (x - y);
    sum += (x + y) * (x + y);
  }
  return 2 * std::atan2(std::sqrt(difference), std::sqrt(sum));
}

}  // namespace

void geometry(const double* query, const double* keys, std::size_t keyCount, std::size_t dim, double* queryLength,
              double* keyLengths, double* dots, double* angles) {
  *queryLength = lengthOf(query, dim);
  for (std::size_t j = 0; j < keyCount; ++j) {
    const double* const key = keys + j * dim;
    keyLengths[j] = lengthOf(key, dim);
    dots[j] = dot(query, key, dim);
    angles[j] = angleBetween(query, *queryLength, key, keyLengths[j], dim);
  }
}

}  // namespace attn
