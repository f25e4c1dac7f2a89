#include "load/load_url.h"

#include <fmt/format.h>

#include <cmath>

#include "support/parse_number.h"

namespace mete {

Result<LoadUrl> ParseLoadUrl(std::string_view text) {
  size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) {
    return InvalidInput(fmt::format(
        "'{}' is not a URL; write it like http://host:8000/path", text));
  }
  LoadUrl url;
  if (text.starts_with("unix://")) {
    ASSIGN_OR_RETURN(url.endpoint, ParseEndpoint(text));
    return url;
  }
  if (text.starts_with("https://")) {
    return Unsupported(
        fmt::format("'{}': load over https is not supported", text));
  }
  if (text.find_first_of(" \t\r\n") != std::string_view::npos) {
    return InvalidInput(
        fmt::format("'{}': a URL has no blanks; write %20", text));
  }
  text = text.substr(0, text.find('#'));
  size_t end = text.find_first_of("/?", scheme + 3);
  ASSIGN_OR_RETURN(url.endpoint, ParseEndpoint(text.substr(0, end)));
  if (end == std::string_view::npos) return url;
  url.target = text[end] == '?' ? "/" : "";
  url.target += text.substr(end);
  return url;
}

Result<double> ParseRate(std::string_view text) {
  double scale = 1;
  std::string_view number = text;
  if (number.ends_with("/s")) {
    number.remove_suffix(2);
  } else if (number.ends_with("/m")) {
    number.remove_suffix(2);
    scale = 60;
  }
  auto rate = ParseNumber<double>(number);
  if (!rate || !std::isfinite(*rate)) {
    return InvalidInput(
        fmt::format("'{}' is not a rate; write it like 200/s", text));
  }
  if (*rate <= 0) {
    return InvalidInput(fmt::format("'{}': the rate must be positive", text));
  }
  return *rate / scale;
}

}  // namespace mete
