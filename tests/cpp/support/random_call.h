#pragma once

#include "support/call.h"
#include "support/random.h"

namespace attn::test {

// Calls at random: a shape first, then what fits it.

Shape randomShape(Random& random);
std::size_t randomWidth(Random& random);

void setRandomMasks(Random& random, Call& call);
void setRandomOptions(Random& random, Call& call);
void randomiseTile(Random& random, Call& call);

/// Queries, keys, values, masks, options and tile.
void randomise(Random& random, Call& call);

/// The kinds of scoring other than the default.
enum class Kind : std::uint8_t { dot, general, additive, cosine, linear, trilinear, given };

inline const std::vector<Kind> kKinds{Kind::dot,    Kind::general,   Kind::additive, Kind::cosine,
                                      Kind::linear, Kind::trilinear, Kind::given};
/// Those that queries and keys matter to.
inline const std::vector<Kind> kKindsOfVectors{Kind::dot,    Kind::general, Kind::additive,
                                               Kind::cosine, Kind::linear,  Kind::trilinear};

void setRandomScoring(Random& random, Call& call, Kind kind);
bool widthsMayDiffer(Kind kind);

}  // namespace attn::test
