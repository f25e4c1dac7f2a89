// Dispatches requests to handlers by method and path, with path parameters.
#pragma once

#include <functional>
#include <map>
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

// Maps methods and paths to handlers. Thread-safe once all routes are added.
class Router {
 public:
  // A part in braces matches any non-empty part of a path:
  // "/api/v1/jobs/{id}". HEAD is handled like GET.
  void Add(std::string method, std::string_view pattern, RouteHandler handler);

  // Wraps every handler added so far. The wrapper gets the route.
  void Wrap(const std::function<RouteHandler(const std::string& route,
                                             RouteHandler inner)>& wrapper);

  // Returns routes like "GET /api/v1/jobs/{id}" in the order they were added.
  std::vector<std::string> Routes() const;

  // Replies 404 for an unknown path, and 405 with the allowed methods for a
  // known path with another method.
  HttpReply Route(const HttpRequest& request) const;

 private:
  struct Entry {
    std::string method;
    std::vector<std::string> parts;
    RouteHandler handler;
  };
  std::vector<Entry> entries_;
};

}  // namespace mete
