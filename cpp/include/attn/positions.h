#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

// Attention does not know the order of its keys. These put it in: by turning queries and keys, by adding
// to the scores, or by adding to the inputs. Positions are whole numbers, negative ones too.
//
// Both rotations and sinusoids turn by the angle p · θ_c, θ_c = base^(−2c/width), the nearest float64. The
// product is taken in twice the digits of float64, so that sine and cosine are right to 1e-15 at any
// position up to 2⁵³, and a distance means the same turn wherever it begins.

/// What to turn: components 2c and 2c + 1 (interleaved, as in the paper), or c and c + dims/2.
enum class RotaryPairs : std::uint8_t { halves, interleaved };

/// Rotary position embedding (Su et al., "RoFormer", 2021, eq. 34): row i of every head is turned, in
/// each of its dims/2 planes, by (offset + i) · base^(−2c/dims). Lengths stay; q·k depends on the
/// distance of their positions alone.
///
/// x [heads, length, width] → y, the same shape, which may be x. `dims` is even and at most `width`:
/// components from there on are copied. base ≥ 1.
void rope(const float* x, std::size_t heads, std::size_t length, std::size_t width, std::size_t dims, double base,
          std::int64_t offset, RotaryPairs pairs, float* y);

/// Attention with linear biases (Press et al., "Train short, test long", 2022): what to add to the
/// scores, bias = −slope_h · |i + queryOffset − j|. For a causal mask this is the paper's; the keys after
/// the query, which the paper masks, get the bias of their distance.
///
/// The slopes of n heads, a power of two, are 2^(−8/n), 2^(−16/n), …, 2^(−8). Of other numbers the largest
/// power of two below has its own, and the heads left over take every second one of the next power.
///
/// bias [heads, queries, keys].
void alibi(std::size_t heads, std::size_t queries, std::size_t keys, std::int64_t queryOffset, float* bias);

/// Sinusoidal position encodings (Vaswani et al., "Attention is all you need", 2017, section 3.5), to
/// be added to the inputs, for p = offset + i:
///
///   y[i, 2c] = sin(p · base^(−2c/width)),  y[i, 2c + 1] = cos(p · base^(−2c/width))
///
/// y [length, width]; an odd width ends with a sine. base ≥ 1.
void sinusoidal(std::size_t length, std::size_t width, double base, std::int64_t offset, float* y);

}  // namespace attn
