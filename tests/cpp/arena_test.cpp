#include "attn/arena.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>

using namespace attn;

TEST_CASE("an arena hands out aligned pieces that do not overlap") {
  Arena arena;
  REQUIRE(arena.reserve(Arena::paddedBytes<float>(3) + Arena::paddedBytes<double>(5)));
  const auto first = arena.take<float>(3);
  const auto second = arena.take<double>(5);
  CHECK(reinterpret_cast<std::uintptr_t>(first.data()) % Arena::kAlignment == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(second.data()) % Arena::kAlignment == 0);
  CHECK(reinterpret_cast<std::byte*>(first.data() + first.size()) <= reinterpret_cast<std::byte*>(second.data()));
  CHECK(arena.used() == arena.capacity());
}

TEST_CASE("an arena grows to the exact need and then stays") {
  Arena arena;
  REQUIRE(arena.reserve(1000));
  CHECK(arena.capacity() == 1000);
  REQUIRE(arena.reserve(10));
  CHECK(arena.capacity() == 1000);
  REQUIRE(arena.reserve(5000));
  CHECK(arena.capacity() == 5000);
}

TEST_CASE("an arena never moves what has been taken") {
  Arena arena;
  REQUIRE(arena.reserve(128));
  const auto taken = arena.take<std::uint8_t>(64);
  CHECK(arena.reserve(64));
  CHECK_FALSE(arena.reserve(65));
  CHECK(arena.capacity() == 128);
  CHECK(arena.take<std::uint8_t>(64).data() == taken.data() + 64);
}

TEST_CASE("an arena over somebody else's memory hands that out, and no more") {
  alignas(Arena::kAlignment) std::array<std::byte, 128> memory{};
  Arena arena;
  REQUIRE(arena.reserve(1000));
  arena.use(memory);
  CHECK(arena.capacity() == 128);
  CHECK(arena.reserve(128));
  CHECK_FALSE(arena.reserve(129));
  CHECK(arena.take<std::byte>(128).data() == memory.data());
}

TEST_CASE("a scope gives back what was taken in it") {
  Arena arena;
  REQUIRE(arena.reserve(256));
  static_cast<void>(arena.take<std::uint8_t>(64));
  {
    const Arena::Scope scope(arena);
    static_cast<void>(arena.take<std::uint8_t>(64));
    CHECK(arena.used() == 128);
  }
  CHECK(arena.used() == 64);
  arena.reset();
  CHECK(arena.used() == 0);
}

TEST_CASE("memory that cannot be had is an answer, and the arena works on") {
  Arena arena;
  REQUIRE(arena.reserve(64));
  CHECK_FALSE(arena.reserve(std::numeric_limits<std::uint64_t>::max()));
  CHECK(arena.reserve(64));
}
