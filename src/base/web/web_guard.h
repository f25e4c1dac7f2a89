// Applies the web configuration to every request and reloads it when the file
// changes.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "net/http_server.h"
#include "support/clock.h"
#include "support/file_stamp.h"
#include "support/result.h"
#include "web/basic_auth.h"
#include "web/web_config.h"

namespace mete {

// The file to apply, and where to report problems with it.
struct WebGuardRequest {
  std::filesystem::path file;
  // Called once for every new version of the file that cannot be used, from any
  // thread.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  // Why basic_auth_users are refused; empty: they are allowed.
  std::string no_users{};
};

// Checks requests against the current web configuration. Thread-safe.
class WebGuard {
 public:
  // `clock` must outlive it. Fails as ReadWebConfig does, and with kUnsupported
  // for users that the request does not allow.
  static Result<std::unique_ptr<WebGuard>> Open(WebGuardRequest request,
                                                const Clock& clock);

  // True if only clients with a verified certificate can connect.
  bool requires_certificates() const;

  // TLS settings of the server. They are fixed while it runs: a change of
  // tls_server_config reports that a restart is required. The server reloads
  // certificates that change in place.
  std::optional<HttpServerTls> tls() const;

  // Calls `next` if the request is allowed, and adds the configured headers to
  // every response. Checks the file for changes at most once a second; an
  // invalid file leaves the old rules in place. Checking a password takes time,
  // so do not use it for quick requests.
  HttpReply Answer(const HttpRequest& request, const HttpHandler& next);

 private:
  struct Rules {
    WebConfig config;
    BasicAuth auth;
    Rules(WebConfig given, const Clock& clock)
        : config(std::move(given)), auth(config.users, clock) {}
  };

  WebGuard(WebGuardRequest request, const Clock& clock)
      : request_(std::move(request)), clock_(clock) {}
  Result<WebConfig> Read() const;
  // Shared with the requests that are being checked.
  std::shared_ptr<Rules> Current();
  void Reread();

  const WebGuardRequest request_;
  const Clock& clock_;
  std::optional<HttpServerTls> tls_;
  std::mutex mutex_;  // guards the rest
  std::shared_ptr<Rules> rules_;
  FileStamp seen_;
  std::chrono::nanoseconds looked_{};
};

}  // namespace mete
