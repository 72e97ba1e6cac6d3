#include "turn.h"

#include <cmath>
#include <numbers>

// Not by std::sin and std::cos: what they do about angles of any size takes up more of the module than
// everything else about positions, and a position has no such angle.

namespace attn {

namespace {

/// x in two halves of at most 26 bits (Veltkamp 1968), whose products are exact.
struct Halves {
  explicit Halves(double x) : high(0x8000001p0 * x - (0x8000001p0 * x - x)), low(x - high) {}
  double high;
  double low;
};

/// a·b − `product`, which is a·b rounded (Dekker 1971).
double lostBy(double product, double a, double b) {
  const Halves x(a);
  const Halves y(b);
  return x.high * y.high - product + x.high * y.low + x.low * y.high + x.low * y.low;
}

/// Σ (−1)ᵏ x²ᵏ⁺ᵒ/(2k + o)!, the sine for o = 1, the cosine for o = 0; |x| ≤ 2.
double series(double x, int odd) {
  double term = odd == 1 ? x : 1;
  double sum = term;
  for (int k = 2 + odd; std::fabs(term) > 1e-17; k += 2) {
    term *= -x * x / (k * (k - 1));
    sum += term;
  }
  return sum;
}

}  // namespace

Turn turnOf(std::int64_t position, double frequency) {
  constexpr double kQuarter = std::numbers::pi / 2;
  constexpr double kQuarterRest = 6.123233995736766e-17;  // what π/2 has beyond the digits of a double

  const auto p = static_cast<double>(position);
  const double angle = p * frequency;
  const double quarters = std::nearbyint(angle / kQuarter);
  const double turned = quarters * kQuarter;
  const double rest =
      angle - turned + lostBy(angle, p, frequency) - lostBy(turned, quarters, kQuarter) - quarters * kQuarterRest;
  const double sine = series(rest, 1);
  const double cosine = series(rest, 0);
  switch (static_cast<std::int64_t>(quarters) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace attn
