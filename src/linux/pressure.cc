#include "linux/pressure.h"

#include "linux/numbers.h"

namespace mete {
namespace {

// "avg10=55.40" -> "55.40".
std::string_view ValueOf(const std::vector<std::string_view>& words,
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
std::optional<Stall> StallOf(const std::vector<std::string_view>& words) {
  auto ten = Decimal(ValueOf(words, "avg10"));
  auto sixty = Decimal(ValueOf(words, "avg60"));
  auto three_hundred = Decimal(ValueOf(words, "avg300"));
  auto total = TimeOf(WholeNumber(ValueOf(words, "total")),
                      std::chrono::microseconds(1));
  if (!ten || !sixty || !three_hundred || !total) return std::nullopt;
  return Stall{.last_10s = *ten / 100,
               .last_60s = *sixty / 100,
               .last_300s = *three_hundred / 100,
               .total = *total};
}

}  // namespace

Pressure ReadPressure(const SystemRoot& root,
                      const std::filesystem::path& file) {
  Pressure pressure;
  auto text = root.Text(file);
  if (!text.ok()) return pressure;
  for (const std::string& line : LinesOf(*text)) {
    const std::vector<std::string_view> words = WordsOf(line);
    if (words.empty()) continue;
    if (words[0] == "some") pressure.some = StallOf(words);
    if (words[0] == "full") pressure.full = StallOf(words);
  }
  return pressure;
}

}  // namespace mete
