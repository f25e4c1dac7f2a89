#include "net/multipart.h"

#include <algorithm>
#include <cctype>

namespace mete {
namespace {

constexpr size_t kMostParts = 100;
constexpr size_t kLongestHead = 8 << 10;
constexpr std::string_view kType = "multipart/form-data";

char Lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool SameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](char x, char y) { return Lower(x) == Lower(y); });
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// Removes a value, quoted or not, from the front.
std::string TakeValue(std::string_view& text) {
  std::string value;
  if (!text.starts_with('"')) {
    size_t end = std::min(text.find(';'), text.size());
    value = Trim(text.substr(0, end));
    text.remove_prefix(end);
    return value;
  }
  text.remove_prefix(1);
  while (!text.empty() && text.front() != '"') {
    if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
    value += text.front();
    text.remove_prefix(1);
  }
  if (!text.empty()) text.remove_prefix(1);
  return value;
}

// The parameter `name="x"` after the first semicolon of a field.
std::optional<std::string> Parameter(std::string_view field,
                                     std::string_view name) {
  field.remove_prefix(std::min(field.find(';'), field.size()));
  while (field.starts_with(';')) {
    field.remove_prefix(1);
    size_t equals = field.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    std::string_view key = Trim(field.substr(0, equals));
    field.remove_prefix(equals + 1);
    std::string value = TakeValue(field);
    if (SameWord(key, name)) return value;
    field.remove_prefix(std::min(field.find(';'), field.size()));
  }
  return std::nullopt;
}

// The value of Content-Disposition.
std::string_view Disposition(std::string_view head) {
  while (!head.empty()) {
    size_t end = std::min(head.find("\r\n"), head.size());
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (SameWord(line.substr(0, colon), "content-disposition")) {
      return Trim(line.substr(colon + 1));
    }
  }
  return {};
}

Result<FormPart> ReadPart(std::string_view text) {
  size_t blank = text.find("\r\n\r\n");
  if (blank == std::string_view::npos) {
    return InvalidInput("form part without a header");
  }
  if (blank > kLongestHead) {
    return InvalidInput("form part with a header of more than 8 KiB");
  }
  std::string_view disposition = Disposition(text.substr(0, blank));
  auto name = Parameter(disposition, "name");
  if (!name) return InvalidInput("form part without a name");
  return FormPart{.name = *std::move(name),
                  .file_name = Parameter(disposition, "filename"),
                  .content = text.substr(blank + 4)};
}

}  // namespace

bool IsMultipart(std::string_view content_type) {
  std::string_view type = content_type.substr(
      0, std::min(content_type.find(';'), content_type.size()));
  return SameWord(Trim(type), kType);
}

Result<std::vector<FormPart>> ParseMultipart(std::string_view content_type,
                                             std::string_view body) {
  auto boundary = Parameter(content_type, "boundary");
  if (!boundary || boundary->empty() || boundary->size() > 70) {
    return InvalidInput("the form's content type has no boundary");
  }
  const std::string opening = "--" + *boundary;
  const std::string between = "\r\n" + opening;
  if (!body.starts_with(opening)) {
    return InvalidInput("the form does not begin with its boundary");
  }
  body.remove_prefix(opening.size());
  std::vector<FormPart> parts;
  while (!body.starts_with("--")) {
    if (!body.starts_with("\r\n")) {
      return InvalidInput("unexpected text after the form's boundary");
    }
    body.remove_prefix(2);
    size_t end = body.find(between);
    if (end == std::string_view::npos) {
      return InvalidInput("the form is truncated");
    }
    if (parts.size() == kMostParts) {
      return InvalidInput("the form has more than 100 parts");
    }
    ASSIGN_OR_RETURN(FormPart part, ReadPart(body.substr(0, end)));
    parts.push_back(std::move(part));
    body.remove_prefix(end + between.size());
  }
  return parts;
}

std::string SafeFileName(std::string_view given) {
  size_t slash = given.find_last_of("/\\");
  if (slash != std::string_view::npos) given.remove_prefix(slash + 1);
  std::string name;
  for (char c : given) {
    bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    if (kept) name += c;
    if (c == ' ') name += '_';
  }
  constexpr size_t kLongest = 200;  // file systems allow 255
  if (name.size() > kLongest) name.erase(0, name.size() - kLongest);
  name.erase(0, std::min(name.find_first_not_of("._"), name.size()));
  return name;
}

}  // namespace mete
