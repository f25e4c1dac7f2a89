// Requests and responses of HTTP as plain values, for clients and servers.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mete {

// Names in lower case, as they compare in HTTP.
using HttpFields = std::map<std::string, std::string, std::less<>>;

struct HttpRequest {
  std::string method = "GET";
  std::string target = "/";  // path and query, already encoded
  HttpFields fields;
  std::string body;
};

struct HttpResponse {
  int status = 0;
  HttpFields fields;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

// Every byte but letters, digits and -._~ as %XX: for parts of a path and for
// values in a query.
std::string PercentEncode(std::string_view text);

// The opposite. Absent when a % is not followed by two digits.
std::optional<std::string> PercentDecode(std::string_view text);

// "a=1&b=x+y": of a query or a form. Later values of a name win; what cannot be
// decoded is absent. A plus is a blank, as browsers write it.
std::map<std::string, std::string> ParseQuery(std::string_view text);

// A target's path, still encoded, and its query.
struct HttpTarget {
  std::string_view path;
  std::string_view query;  // empty: none
};
HttpTarget SplitTarget(std::string_view target);

}  // namespace mete
