#include "scoring/row_products.h"

namespace attn::scoring {

double RowProducts::at(std::size_t j) const {
  if (vectors_.given != nullptr) return vectors_.given[j];
  return projection_.product(vectors_.projectedQuery, vectors_.projectedKeys + j * projection_.width());
}

}  // namespace attn::scoring
