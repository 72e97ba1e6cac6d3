#pragma once

#include <cstddef>
#include <variant>

/// How a query q [d] and a key k [dk] make a score, before scale, softcap, bias and masks. One value of
/// one of these is given in the options. Parameters are float64 in every call and the same for all
/// batch entries and heads; d = dk unless said otherwise. A NaN or ∞ in a vector comes out as the formula
/// has it, in the scores of that vector alone.
///
/// All but `Additive` and `Given` are computed as a product of two projected vectors, so that they cost
/// what `ScaledDot` costs. Projections, and whatever float32 has too few digits for, are in float64.
namespace attn::scoring {

/// q·k, and 1/√d is the default scale (Vaswani et al., "Attention is all you need", 2017, eq. 1).
struct ScaledDot {};

/// q·k (Luong et al., "Effective approaches to attention-based neural machine translation", 2015, eq. 8).
struct Dot {};

/// q W kᵀ + b (Luong et al. 2015, eq. 8, "general"). d and dk may differ.
struct General {
  const double* w = nullptr;  ///< [d, dk]
  double b = 0;
};

/// v · tanh(Wq q + Wk k): a layer of `width` hidden units sees both (Bahdanau et al., "Neural machine
/// translation by jointly learning to align and translate", 2015, appendix A.1.2). d and dk may differ.
struct Additive {
  const double* wq = nullptr;  ///< [width, d]
  const double* wk = nullptr;  ///< [width, dk]
  const double* v = nullptr;   ///< [width]
  std::size_t width = 0;
};

/// q·k / (|q| |k|), the cosine of the angle between them (Graves et al., "Neural Turing machines", 2014,
/// eq. 6). A zero vector has no direction: its scores are 0.
struct Cosine {};

/// w · [q; k] + b: `Additive` without its hidden layer. The share of q is the same for every key, so it
/// shows in the scores but not in the weights. d and dk may differ.
struct Linear {
  const double* w = nullptr;  ///< [d + dk]
  double b = 0;
};

/// w · [q; k; q∘k] + b, with ∘ element by element (Seo et al., "Bidirectional attention flow for machine
/// comprehension", 2017, eq. 1).
struct Trilinear {
  const double* w = nullptr;  ///< [3 d]
  double b = 0;
};

/// Scores from anywhere; queries and keys are not read.
struct Given {
  const double* scores = nullptr;  ///< [B, Hq, nq, nk]
};

}  // namespace attn::scoring

namespace attn {

using Scoring = std::variant<scoring::ScaledDot, scoring::Dot, scoring::General, scoring::Additive, scoring::Cosine,
                             scoring::Linear, scoring::Trilinear, scoring::Given>;

}  // namespace attn
