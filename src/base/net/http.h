// HTTP requests and responses as plain values, for clients and servers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mete {

class SpooledBody;

// Field names are in lower case, because HTTP ignores their case.
using HttpFields = std::map<std::string, std::string, std::less<>>;

// A request to a server.
struct HttpRequest {
  std::string method = "GET";
  std::string target = "/";  // path and query, already encoded
  HttpFields fields;
  std::string body;
  // The rest is set by servers only. A large body that is in a file instead of
  // `body`; only for requests selected by HttpServerSettings::spool_folder.
  std::shared_ptr<const SpooledBody> spooled{};
  std::string peer{};  // the client's machine; empty on a Unix socket

  // The body, wherever it is.
  std::string_view Content() const;
};

// A response of a server.
struct HttpResponse {
  int status = 0;
  HttpFields fields;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

// Encodes every byte except letters, digits and -._~ as %XX: for parts of a
// path and for values in a query.
std::string PercentEncode(std::string_view text);

// The inverse. Absent when a % is not followed by two hex digits.
std::optional<std::string> PercentDecode(std::string_view text);

// Parses a query or form "a=1&b=x+y". The last value of a name wins; values
// that cannot be decoded are skipped. A plus is a blank, as browsers write it.
std::map<std::string, std::string> ParseQuery(std::string_view text);

// The path of a request target, still encoded, and its query.
struct HttpTarget {
  std::string_view path;
  std::string_view query;  // empty when there is none
};
HttpTarget SplitTarget(std::string_view target);

}  // namespace mete
