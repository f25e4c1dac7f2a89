#include "serve/router.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "serve/reply.h"

namespace mete {
namespace {

using Parameters = std::map<std::string, std::string>;

std::vector<std::string> SplitPath(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    std::string_view part = path.substr(0, path.find('/'));
    parts.emplace_back(part);
    path.remove_prefix(part.size());
  }
  // "/a/" is the same as "/a".
  if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return parts;
}

bool IsParameter(const std::string& part) { return part.starts_with('{'); }

std::optional<Parameters> Match(const std::vector<std::string>& pattern,
                                const std::vector<std::string>& path) {
  if (pattern.size() != path.size()) return std::nullopt;
  Parameters parameters;
  for (size_t at = 0; at < path.size(); ++at) {
    if (!IsParameter(pattern[at])) {
      if (pattern[at] != path[at]) return std::nullopt;
      continue;
    }
    auto value = PercentDecode(path[at]);
    if (!value || value->empty()) return std::nullopt;
    parameters[pattern[at].substr(1, pattern[at].size() - 2)] = *value;
  }
  return parameters;
}

}  // namespace

void Router::Add(std::string method, std::string_view pattern,
                 RouteHandler handler, RouteGuard guard) {
  if (guard) {
    // Inside the handler, so that wrappers see refusals too.
    handler = [guard,
               inner = std::move(handler)](const RoutedRequest& request) {
      if (auto refused = guard(request.http)) return *std::move(refused);
      return inner(request);
    };
  }
  entries_.push_back({.method = std::move(method),
                      .parts = SplitPath(pattern),
                      .handler = std::move(handler),
                      .guard = std::move(guard)});
}

void Router::Wrap(const std::function<RouteHandler(
                      const std::string& route, RouteHandler inner)>& wrapper) {
  std::vector<std::string> routes = Routes();
  for (size_t at = 0; at < entries_.size(); ++at) {
    entries_[at].handler = wrapper(routes[at], std::move(entries_[at].handler));
  }
}

std::vector<std::string> Router::Routes() const {
  std::vector<std::string> routes;
  for (const Entry& entry : entries_) {
    std::string path;
    for (const std::string& part : entry.parts) path += "/" + part;
    routes.push_back(entry.method + " " + path);
  }
  return routes;
}

Router::Found Router::Find(const HttpRequest& request) const {
  HttpTarget target = SplitTarget(request.target);
  std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::vector<std::string> parts = SplitPath(target.path);
  std::set<std::string> others;
  for (const Entry& entry : entries_) {
    auto parameters = Match(entry.parts, parts);
    if (!parameters) continue;
    if (entry.method != method) {
      others.insert(entry.method);
      continue;
    }
    return {.entry = &entry, .parameters = *std::move(parameters)};
  }
  if (others.empty()) {
    return {.otherwise = ErrorReply(
                404, "not_found", "no such path: " + std::string(target.path))};
  }
  HttpReply reply = ErrorReply(
      405, "method_not_allowed",
      request.method + " is not allowed for " + std::string(target.path));
  reply.response.fields["allow"] = fmt::format("{}", fmt::join(others, ", "));
  return {.otherwise = std::move(reply)};
}

HttpReply Router::Route(const HttpRequest& request) const {
  Found found = Find(request);
  if (found.entry == nullptr) return std::move(found.otherwise);
  return found.entry->handler(
      {.http = request,
       .path = std::move(found.parameters),
       .query = ParseQuery(SplitTarget(request.target).query)});
}

std::optional<HttpReply> Router::RefuseHead(const HttpRequest& head) const {
  Found found = Find(head);
  if (found.entry == nullptr) return std::move(found.otherwise);
  const RouteGuard& guard = found.entry->guard;
  if (!guard || !guard(head)) return std::nullopt;
  return Route(head);  // refuses it again, seen by wrappers
}

}  // namespace mete
