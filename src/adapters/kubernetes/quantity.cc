#include "adapters/kubernetes/quantity.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace mete {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
};

constexpr std::array<Suffix, 16> kSuffixes = {{{"", 1},
                                               {"n", 1e-9},
                                               {"u", 1e-6},
                                               {"m", 1e-3},
                                               {"k", 1e3},
                                               {"M", 1e6},
                                               {"G", 1e9},
                                               {"T", 1e12},
                                               {"P", 1e15},
                                               {"E", 1e18},
                                               {"Ki", 0x1p10},
                                               {"Mi", 0x1p20},
                                               {"Gi", 0x1p30},
                                               {"Ti", 0x1p40},
                                               {"Pi", 0x1p50},
                                               {"Ei", 0x1p60}}};

}  // namespace

std::optional<double> ParseQuantity(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  std::string_view suffix(rest, static_cast<size_t>(end - rest));
  for (const Suffix& known : kSuffixes) {
    if (known.text == suffix) return value * known.factor;
  }
  return std::nullopt;
}

}  // namespace mete
