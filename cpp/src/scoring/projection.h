#pragma once

#include <cstddef>
#include <variant>

#include "attn/scoring.h"
#include "attn/shape.h"
#include "scoring/additive.h"
#include "scoring/cosine.h"
#include "scoring/general.h"
#include "scoring/given.h"
#include "scoring/linear.h"
#include "scoring/trilinear.h"

namespace attn::scoring {

/// What a scoring makes of queries and keys before it multiplies them. The one place where this is
/// decided from the options. A new kind is a struct in attn/scoring.h, a file here and its name in
/// this one.
class Projection {
 public:
  Projection(const Shape& shape, const Scoring& scoring);

  /// Whether queries and keys are replaced by others, in float64, and not multiplied as they come.
  [[nodiscard]] bool projects() const { return projects_; }

  /// Whether they are multiplied as they come. (If neither, scores are looked up.)
  [[nodiscard]] bool asTheyCome() const { return std::holds_alternative<AsTheyCome>(kind_); }

  /// Of the vectors that are multiplied; 0 if none are.
  [[nodiscard]] std::size_t width() const { return width_; }

  /// Numbers kept of each projected vector.
  [[nodiscard]] std::size_t projectedWidth() const { return projects_ ? width_ : 0; }

  /// From a vector as it came to `projected` [projectedWidth].
  void query(const float* q, double* projected) const;
  void key(const float* k, double* projected) const;

  /// The score of two projected vectors, before the scale.
  [[nodiscard]] double product(const double* q, const double* k) const;

  /// Not null if products are those of a hidden layer, or if scores are looked up.
  [[nodiscard]] const AdditiveProjection* additive() const { return std::get_if<AdditiveProjection>(&kind_); }
  [[nodiscard]] const GivenScores* given() const { return std::get_if<GivenScores>(&kind_); }

 private:
  struct AsTheyCome {};
  using Kind = std::variant<AsTheyCome, GeneralProjection, AdditiveProjection, CosineProjection, LinearProjection,
                            TrilinearProjection, GivenScores>;

  static Kind kindOf(const Shape& shape, const Scoring& scoring);

  Kind kind_;
  bool projects_;
  std::size_t width_;
};

}  // namespace attn::scoring
