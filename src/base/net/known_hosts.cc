#include "net/known_hosts.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace mete {
namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string MachineName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return LowerCase(name.data());
}

// "example.org" of "Example.org:8080" and of "example.org.", "::1" of
// "[::1]:8080".
std::string NameIn(std::string_view host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    if (end == std::string_view::npos) return "";
    const std::string_view rest = host.substr(end + 1);
    if (!rest.empty() && rest.front() != ':') return "";
    return std::string(host.substr(1, end - 1));
  }
  std::string name = LowerCase(host.substr(0, host.find(':')));
  if (name.ends_with('.')) name.pop_back();
  return name;
}

// No page can make an address mean another machine.
bool IsAddress(const std::string& name) {
  in6_addr unused{};
  return inet_pton(AF_INET, name.c_str(), &unused) == 1 ||
         inet_pton(AF_INET6, name.c_str(), &unused) == 1;
}

}  // namespace

KnownHosts::KnownHosts(const Endpoint& listen, std::vector<std::string> names)
    : any_(listen.local() || !listen.loopback()), names_(std::move(names)) {
  for (std::string& name : names_) name = LowerCase(name);
  names_.push_back("localhost");
  names_.push_back(MachineName());
}

bool KnownHosts::Knows(const std::string& name) const {
  return name.ends_with(".localhost") ||
         std::ranges::find(names_, name) != names_.end();
}

bool KnownHosts::Allow(std::string_view host) const {
  if (any_ || host.empty()) return true;
  const std::string name = NameIn(host);
  if (name.empty()) return false;
  return IsAddress(name) || Knows(name);
}

bool KnownHosts::AllowOrigin(std::string_view origin) const {
  if (any_) return true;
  constexpr std::string_view kMark = "://";
  const size_t mark = origin.find(kMark);
  if (mark == std::string_view::npos) return false;
  const std::string name = NameIn(origin.substr(mark + kMark.size()));
  if (name.empty()) return false;
  return Endpoint{.host = name}.loopback() || Knows(name);
}

}  // namespace mete
