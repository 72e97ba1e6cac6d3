#include "scoring/projection.h"

#include "scoring/product.h"

namespace attn::scoring {

namespace {

template <class Kind>
concept Projects = requires(const Kind& kind) { kind.width(); };

}  // namespace

Projection::Projection(const Shape& shape, const Scoring& scoring)
    : kind_(kindOf(shape, scoring)), projects_(false), width_(given() == nullptr ? shape.keyDim : 0) {
  const auto measure = [&]<class K>(const K& kind) {
    if constexpr (Projects<K>) {
      projects_ = true;
      width_ = kind.width();
    }
  };
  std::visit(measure, kind_);
}

Projection::Kind Projection::kindOf(const Shape& shape, const Scoring& scoring) {
  struct {
    const Shape& shape;
    Kind operator()(const ScaledDot& /*kind*/) const { return AsTheyCome{}; }
    Kind operator()(const Dot& /*kind*/) const { return AsTheyCome{}; }
    Kind operator()(const General& kind) const { return GeneralProjection(shape, kind); }
    Kind operator()(const Additive& kind) const { return AdditiveProjection(shape, kind); }
    Kind operator()(const Cosine& /*kind*/) const { return CosineProjection(shape); }
    Kind operator()(const Linear& kind) const { return LinearProjection(shape, kind); }
    Kind operator()(const Trilinear& kind) const { return TrilinearProjection(shape, kind); }
    Kind operator()(const Given& kind) const { return GivenScores(shape, kind); }
  } const make{shape};
  return std::visit(make, scoring);
}

void Projection::query(const float* q, double* projected) const {
  const auto project = [&]<class K>(const K& kind) {
    if constexpr (Projects<K>) kind.query(q, projected);
  };
  std::visit(project, kind_);
}

void Projection::key(const float* k, double* projected) const {
  const auto project = [&]<class K>(const K& kind) {
    if constexpr (Projects<K>) kind.key(k, projected);
  };
  std::visit(project, kind_);
}

double Projection::product(const double* q, const double* k) const {
  const AdditiveProjection* const layer = additive();
  return layer == nullptr ? dot(q, k, width_) : layer->product(q, k);
}

}  // namespace attn::scoring
