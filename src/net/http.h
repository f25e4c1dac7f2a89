// Requests and responses of HTTP as plain values, for clients and servers.
#pragma once

#include <map>
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

}  // namespace mete
