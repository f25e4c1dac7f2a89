#include "watch/python_dict.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

namespace mete {
namespace {

void SkipBlanks(std::string_view& rest) {
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
}

bool Skip(std::string_view& rest, char expected) {
  SkipBlanks(rest);
  if (rest.empty() || rest.front() != expected) return false;
  rest.remove_prefix(1);
  SkipBlanks(rest);
  return true;
}

// A quoted text with its quotes, as written.
std::optional<std::string> TakeQuoted(std::string_view& rest) {
  char quote = rest.empty() ? '\0' : rest.front();
  if (quote != '\'' && quote != '"') return std::nullopt;
  for (size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '\\') {
      ++at;
    } else if (rest[at] == quote) {
      std::string text(rest.substr(0, at + 1));
      rest.remove_prefix(at + 1);
      return text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> TakeValue(std::string_view& rest) {
  if (rest.starts_with('\'') || rest.starts_with('"')) return TakeQuoted(rest);
  size_t end = rest.find_first_of(",} ");
  if (end == 0 || end == std::string_view::npos) return std::nullopt;
  std::string value(rest.substr(0, end));
  rest.remove_prefix(end);
  return value;
}

std::string WithoutQuotes(const std::string& text) {
  std::string plain;
  for (size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == '\\' && at + 2 < text.size()) ++at;
    plain += text[at];
  }
  return plain;
}

}  // namespace

std::string PythonText(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += std::iscntrl(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
  }
  return quoted + "'";
}

std::string PythonNumber(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string PythonDictText(const PythonDict& dict) {
  std::string text = "{";
  for (const auto& [key, value] : dict) {
    if (text.size() > 1) text += ", ";
    text += PythonText(key) + ": " + value;
  }
  return text + "}";
}

std::optional<PythonDict> ParsePythonDict(std::string_view text) {
  PythonDict dict;
  if (!Skip(text, '{')) return std::nullopt;
  if (Skip(text, '}')) return dict;
  while (true) {
    auto key = TakeQuoted(text);
    if (!key || !Skip(text, ':')) return std::nullopt;
    auto value = TakeValue(text);
    if (!value) return std::nullopt;
    dict.emplace_back(WithoutQuotes(*key), *value);
    if (Skip(text, '}')) break;
    if (!Skip(text, ',')) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return dict;
}

}  // namespace mete
