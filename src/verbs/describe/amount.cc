#include "describe/amount.h"

#include <algorithm>

namespace mete {

Amount::Amount(uint64_t count) : count_(count) {
  if (count >> 63 != 0) *this = Absurd();
}

Amount::Amount(std::optional<uint64_t> count)
    : Amount(count ? Amount(*count) : Open()) {}

std::optional<uint64_t> Amount::value() const {
  if (state_ != State::kKnown) return std::nullopt;
  return count_;
}

Amount operator+(const Amount& a, const Amount& b) {
  Amount::State worse = Amount::Worse(a.state_, b.state_);
  if (worse != Amount::State::kKnown) return Amount(worse);
  // Both are below 2^63, so the sum fits in 64 bits.
  return Amount(a.count_ + b.count_);
}

Amount operator*(const Amount& a, const Amount& b) {
  Amount::State worse = Amount::Worse(a.state_, b.state_);
  if (worse == Amount::State::kOpen && (a.value() == 0u || b.value() == 0u)) {
    return Amount(uint64_t{0});
  }
  if (worse != Amount::State::kKnown) return Amount(worse);
  uint64_t product = 0;
  if (__builtin_mul_overflow(a.count_, b.count_, &product)) {
    return Amount::Absurd();
  }
  return Amount(product);
}

Amount Larger(const Amount& a, const Amount& b) {
  Amount::State worse = Amount::Worse(a.state_, b.state_);
  if (worse != Amount::State::kKnown) return Amount(worse);
  return Amount(std::max(a.count_, b.count_));
}

}  // namespace mete
