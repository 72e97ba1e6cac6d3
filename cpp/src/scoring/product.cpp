#include "scoring/product.h"

namespace attn::scoring {

namespace {

template <class A, class B>
double sumOfProducts(const A* a, const B* b, std::size_t count) {
  double sum = 0;
  for (std::size_t c = 0; c < count; ++c) sum += double{a[c]} * double{b[c]};
  return sum;
}

}  // namespace

double dot(const float* a, const float* b, std::size_t count) { return sumOfProducts(a, b, count); }
double dot(const double* a, const float* b, std::size_t count) { return sumOfProducts(a, b, count); }
double dot(const double* a, const double* b, std::size_t count) { return sumOfProducts(a, b, count); }

}  // namespace attn::scoring
