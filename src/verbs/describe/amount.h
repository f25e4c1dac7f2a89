// A count that may be open, because a shape is, or absurd: larger than 63 bits.
#pragma once

#include <cstdint>
#include <optional>

namespace mete {

// A count that carries "open" and "absurd" through sums and products, so that
// cost rules read as plain formulas. Absurd takes precedence over open.
class Amount {
 public:
  Amount() = default;
  Amount(uint64_t count);  // NOLINT: implicit, so that formulas read well
  Amount(std::optional<uint64_t> count);  // NOLINT: absent is open
  static Amount Open() { return Amount(State::kOpen); }
  static Amount Absurd() { return Amount(State::kAbsurd); }

  bool absurd() const { return state_ == State::kAbsurd; }
  // Absent when open or absurd.
  std::optional<uint64_t> value() const;

  friend Amount operator+(const Amount& a, const Amount& b);
  // Zero times an open amount is zero.
  friend Amount operator*(const Amount& a, const Amount& b);
  Amount& operator+=(const Amount& other) { return *this = *this + other; }
  // Open or absurd when either one is.
  friend Amount Larger(const Amount& a, const Amount& b);

 private:
  enum class State { kKnown, kOpen, kAbsurd };
  explicit Amount(State state) : state_(state) {}
  static State Worse(State a, State b) { return a < b ? b : a; }

  State state_ = State::kKnown;
  uint64_t count_ = 0;
};

}  // namespace mete
