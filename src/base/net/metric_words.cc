#include "net/metric_words.h"

namespace mete {
namespace {

bool StartsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == ':';
}
bool IsName(char c) { return StartsName(c) || (c >= '0' && c <= '9'); }

}  // namespace

void SkipBlanks(std::string_view& rest) {
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) {
    rest.remove_prefix(1);
  }
}

bool Take(std::string_view& rest, std::string_view token) {
  SkipBlanks(rest);
  if (!rest.starts_with(token)) return false;
  rest.remove_prefix(token.size());
  return true;
}

std::string TakeName(std::string_view& rest) {
  SkipBlanks(rest);
  size_t length = 0;
  while (length < rest.size() &&
         (length == 0 ? StartsName(rest[0]) : IsName(rest[length]))) {
    ++length;
  }
  std::string name(rest.substr(0, length));
  rest.remove_prefix(length);
  return name;
}

Result<std::string> TakeQuoted(std::string_view& rest) {
  if (!Take(rest, "\"")) return InvalidInput("value is not quoted");
  std::string text;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return text;
    }
    if (rest[i] != '\\' || i + 1 == rest.size()) {
      text += rest[i];
      continue;
    }
    char next = rest[++i];
    if (next == 'n') {
      text += '\n';
    } else if (next == '"' || next == '\\') {
      text += next;
    } else {
      text += {'\\', next};
    }
  }
  return InvalidInput("unclosed quote");
}

}  // namespace mete
