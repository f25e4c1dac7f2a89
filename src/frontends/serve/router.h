// Which function answers which request: methods and paths with parameters.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_server.h"

namespace mete {

// A request that found its route.
struct RoutedRequest {
  const HttpRequest& http;
  // By the name in the pattern, decoded.
  std::map<std::string, std::string> path;
  std::map<std::string, std::string> query;
};

using RouteHandler = std::function<HttpReply(const RoutedRequest&)>;

// Filled at the start, then only read: safe for several threads.
class Router {
 public:
  // A pattern is a path whose parts in braces match anything but nothing:
  // "/api/v1/jobs/{id}". HEAD is answered as GET is.
  void Add(std::string method, std::string_view pattern, RouteHandler handler);

  // Puts something around every handler there is; it is told the route.
  void Wrap(const std::function<RouteHandler(const std::string& route,
                                             RouteHandler inner)>& wrapper);

  // "GET /api/v1/jobs/{id}" each, in the order they were added.
  std::vector<std::string> Routes() const;

  // 404 for a path nobody knows, 405 with the methods it has for one that is
  // known by others.
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
