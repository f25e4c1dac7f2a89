#include "watch/annotation_change.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>

#include "support/json.h"

namespace mete {
namespace {

// Below this difference a percentage or a number of megabytes is the same.
constexpr double kSmallest = 0.5;

bool Near(double a, double b, double tolerance, double scale) {
  double size = std::max({std::abs(a), std::abs(b), scale});
  return std::abs(a - b) <= tolerance * size;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// True if a number that starts after `before` is a measured value.
bool BeginsValue(char before) {
  return before == ' ' || before == '\'' || before == ':' || before == '\0' ||
         before == ',';
}

std::optional<double> TakeDigits(std::string_view& rest) {
  double value = 0;
  auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  return value;
}

// Compares numbers of profiles. `scale` is the maximum of the metric.
class ProfileComparison {
 public:
  explicit ProfileComparison(double tolerance) : tolerance_(tolerance) {}

  bool Same(const Json& a, const Json& b, double scale) const {
    if (a.is_number() && b.is_number()) {
      return Near(a.get<double>(), b.get<double>(), tolerance_, scale);
    }
    if (a.is_string() && b.is_string()) {
      return SameText(a.get_ref<const std::string&>(),
                      b.get_ref<const std::string&>(), tolerance_);
    }
    if (a.is_object() && b.is_object()) return SameObject(a, b, scale);
    if (a.is_array() && b.is_array()) return SameArray(a, b, scale);
    return a == b;
  }

 private:
  static bool Ignored(const std::string& key) {
    return key == "method" || key == "mase" || key == "evidence" ||
           key == "notes";
  }

  static double Number(const Json& json, const char* key) {
    auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : 0;
  }

  // The scale of the numbers below this key.
  static double ScaleFor(const std::string& key, double scale) {
    if (key == "period") return 0;
    if (key == "confidence" || key == "strength") return 1;
    return scale;
  }

  bool SameObject(const Json& a, const Json& b, double scale) const {
    scale = std::max(
        {scale, std::abs(Number(a, "max")), std::abs(Number(b, "max"))});
    std::set<std::string> keys;
    for (const auto& [key, value] : a.items()) keys.insert(key);
    for (const auto& [key, value] : b.items()) keys.insert(key);
    return std::ranges::all_of(keys, [&](const std::string& key) {
      if (Ignored(key)) return true;
      return a.contains(key) && b.contains(key) &&
             Same(a.at(key), b.at(key), ScaleFor(key, scale));
    });
  }

  bool SameArray(const Json& a, const Json& b, double scale) const {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Same(a[i], b[i], scale)) return false;
    }
    return true;
  }

  double tolerance_;
};

}  // namespace

bool SameText(std::string_view old_text, std::string_view new_text,
              double tolerance) {
  if (old_text == new_text) return true;
  char before = '\0';
  while (!old_text.empty() && !new_text.empty()) {
    if (IsDigit(old_text.front()) && IsDigit(new_text.front()) &&
        BeginsValue(before)) {
      auto a = TakeDigits(old_text);
      auto b = TakeDigits(new_text);
      if (!a || !b) return false;
      if (std::abs(*a - *b) > kSmallest && !Near(*a, *b, tolerance, 0)) {
        return false;
      }
      before = '0';
      continue;
    }
    if (old_text.front() != new_text.front()) return false;
    before = old_text.front();
    old_text.remove_prefix(1);
    new_text.remove_prefix(1);
  }
  return old_text.empty() && new_text.empty();
}

bool SameProfile(std::string_view old_text, std::string_view new_text,
                 double tolerance) {
  if (old_text == new_text) return true;
  auto a = ParseJson(old_text);
  auto b = ParseJson(new_text);
  if (!a.ok() || !b.ok()) return false;
  return ProfileComparison(tolerance).Same(*a, *b, 0);
}

}  // namespace mete
