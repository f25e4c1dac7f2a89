// Dispatches requests to handlers by method and path, with path parameters.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_server.h"

namespace mete {

// A request with the parameters of its route.
struct RoutedRequest {
  const HttpRequest& http;
  // The decoded path parameters, by their names in the pattern.
  std::map<std::string, std::string> path;
  std::map<std::string, std::string> query;
};

using RouteHandler = std::function<HttpReply(const RoutedRequest&)>;
// Refuses a request by its head, without looking at its body.
using RouteGuard = std::function<std::optional<HttpReply>(const HttpRequest&)>;

// Maps methods and paths to handlers. Thread-safe once all routes are added.
class Router {
 public:
  // A part in braces matches any non-empty part of a path:
  // "/api/v1/jobs/{id}". HEAD is handled like GET. The handler is only called
  // for requests that `guard`, if any, does not refuse.
  void Add(std::string method, std::string_view pattern, RouteHandler handler,
           RouteGuard guard = {});

  // Wraps every handler added so far. The wrapper gets the route.
  void Wrap(const std::function<RouteHandler(const std::string& route,
                                             RouteHandler inner)>& wrapper);

  // Returns routes like "GET /api/v1/jobs/{id}" in the order they were added.
  std::vector<std::string> Routes() const;

  // Replies 404 for an unknown path, and 405 with the allowed methods for a
  // known path with another method.
  HttpReply Route(const HttpRequest& request) const;

  // The same for a request whose body has not arrived: a reply only if the body
  // would not change it.
  std::optional<HttpReply> RefuseHead(const HttpRequest& head) const;

 private:
  struct Entry {
    std::string method;
    std::vector<std::string> parts;
    RouteHandler handler;
    RouteGuard guard;
  };
  // What a request matches: an entry, or the reply that says it matches none.
  struct Found {
    const Entry* entry = nullptr;
    std::map<std::string, std::string> parameters;
    HttpReply otherwise;
  };
  Found Find(const HttpRequest& request) const;

  std::vector<Entry> entries_;
};

}  // namespace mete
