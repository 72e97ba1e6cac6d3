#pragma once

#include <cstddef>
#include <cstdint>

#include "attn/arena.h"
#include "attn/status.h"

namespace attn {

// Other weights that give the same output (Jain and Wallace, "Attention is not explanation", 2019, section
// 4.2.2, whose adversary lets the output move a little; here it stands still). Given weights w ≥ 0 with
// Σ w = 1 and values V, weights x with
//
//   x ≥ 0,   Σ x = 1,   xᵀV = wᵀV
//
// are the points of a polytope, and w is one of them. If there are others, the one asked for is as far from
// w as possible in total variation, ½ Σ |xⱼ − wⱼ|: the share of the weight that has moved. A convex function
// is largest at a vertex of a polytope, and |xⱼ − wⱼ| is the larger of ±(xⱼ − wⱼ). So the farthest point is the
// best of 2ᵐ linear programs, one for each choice of signs of the m keys whose weight is not 0 (a weight of
// 0 can only grow). Up to `kMostSigns` such keys all of them are solved, and the answer is the farthest.
// Beyond that the signs follow the answer until it moves no more, from several starts: it is a vertex from
// which no change of signs leads farther, and usually, but not surely, the farthest one. Whether there are
// other weights at all is decided for any number of keys: if no single weight can grow, there are none.

/// The most keys with a weight above 0 for which the farthest weights are sure to be found.
inline constexpr std::size_t kMostSigns = 14;

/// Weights closer than this, in total variation, are the same.
inline constexpr double kSameWeights = 1e-6;

struct EqualOutputWeights {
  Status status = Status::ok;
  bool exists = false;    ///< false: no other weights give this output
  bool farthest = false;  ///< whether no other weights are farther from the given ones
  double distance = 0;    ///< ½ Σ |xⱼ − wⱼ|, from 0 to 1
};

/// The scratch memory `equalOutputWeights` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t equalOutputWeightsWorkingBytes(std::size_t keys, std::size_t valueDim);

/// weights [nk], ≥ 0 with sum 1 (within rounding); values [nk, dv]; allow [nk], the keys that may have weight,
/// or null for all: a key that is not allowed has weight 0, and its value is not read. Values of allowed keys
/// are finite. `others` [nk] gets the other weights, or the given ones if there are none; `output` [dv] what they
/// give, at most 1e-9 of the column's largest |v| from what the given weights give.
[[nodiscard]] EqualOutputWeights equalOutputWeights(const double* weights, const double* values,
                                                    const std::uint8_t* allow, std::size_t keys, std::size_t valueDim,
                                                    double* others, double* output, Arena& arena);

}  // namespace attn
