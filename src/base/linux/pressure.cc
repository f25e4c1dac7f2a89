#include "linux/pressure.h"

#include <array>
#include <span>

#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {
namespace {

// "avg10=55.40" -> "55.40".
std::string_view FindValue(std::span<const std::string_view> words,
                           std::string_view key) {
  for (std::string_view word : words) {
    if (word.size() > key.size() && word[key.size()] == '=' &&
        word.substr(0, key.size()) == key) {
      return word.substr(key.size() + 1);
    }
  }
  return {};
}

// "some avg10=55.40 avg60=52.02 avg300=47.55 total=9285924813": per cent, and
// microseconds.
std::optional<Stall> ParseStall(std::span<const std::string_view> words) {
  auto ten = Decimal(FindValue(words, "avg10"));
  auto sixty = Decimal(FindValue(words, "avg60"));
  auto three_hundred = Decimal(FindValue(words, "avg300"));
  auto total = ToTime(WholeNumber(FindValue(words, "total")),
                      std::chrono::microseconds(1));
  if (!ten || !sixty || !three_hundred || !total) return std::nullopt;
  return Stall{.last_10s = *ten / 100,
               .last_60s = *sixty / 100,
               .last_300s = *three_hundred / 100,
               .total = *total};
}

}  // namespace

Pressure ParsePressure(std::string_view text) {
  Pressure pressure;
  while (auto line = TakeLine(text)) {
    std::array<std::string_view, 5> words;
    if (FirstWords(*line, words) == 0) continue;
    if (words[0] == "some") pressure.some = ParseStall(words);
    if (words[0] == "full") pressure.full = ParseStall(words);
  }
  return pressure;
}

}  // namespace mete
