#include "net/url_login.h"

#include <algorithm>

#include "support/base64.h"

namespace mete {

HttpFields LoginUrl::Fields() const {
  if (name.empty() && password.empty()) return {};
  return {{"authorization", "Basic " + EncodeBase64(name + ":" + password)}};
}

Result<LoginUrl> SplitLogin(std::string_view text) {
  const size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return LoginUrl{std::string(text)};
  const size_t begin = scheme + 3;
  const size_t end = std::min(text.find('/', begin), text.size());
  const std::string_view authority = text.substr(begin, end - begin);
  const size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return LoginUrl{std::string(text)};
  const std::string_view login = authority.substr(0, at);
  const size_t colon = login.find(':');
  std::string url(text.substr(0, begin));
  url += text.substr(begin + at + 1);
  if (colon == std::string_view::npos) {
    return InvalidInput(url + ": user name without a password before the @");
  }
  auto name = PercentDecode(login.substr(0, colon));
  auto password = PercentDecode(login.substr(colon + 1));
  if (!name || !password) {
    return InvalidInput(url + ": write a % in user name or password as %25");
  }
  return LoginUrl{std::move(url), *std::move(name), *std::move(password)};
}

std::string RedactUrl(std::string_view text) {
  auto login = SplitLogin(text);
  if (!login.ok()) return "(a URL with invalid credentials)";
  std::string url = login->url.substr(0, login->url.find_first_of("?#"));
  const size_t scheme = url.find("://");
  if (scheme == std::string::npos || url.starts_with("unix:")) return url;
  const size_t path = std::min(url.find('/', scheme + 3), url.size());
  const size_t second = std::min(url.find('/', path + 1), url.size());
  if (second + 1 >= url.size()) return url;
  return url.substr(0, second) + "/...";
}

}  // namespace mete
