// Stands before the agent's pages and does what the web configuration says,
// also after its file has changed.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "agent/basic_auth.h"
#include "agent/web_config.h"
#include "net/http_server.h"
#include "support/clock.h"
#include "support/file_stamp.h"
#include "support/result.h"

namespace mete {

struct WebGuardRequest {
  std::filesystem::path file;
  // Told once of every new file that cannot be used, from any thread.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Safe to call from several threads.
class WebGuard {
 public:
  // `clock` must outlive it. Fails as ReadWebConfig does.
  static Result<std::unique_ptr<WebGuard>> Open(WebGuardRequest request,
                                                const Clock& clock);

  // For the settings of the server, which stay for its life: whoever changes
  // tls_server_config is told to restart. Certificates that change in place
  // are read again by the server.
  std::optional<HttpServerTls> tls() const;

  // What `next` answers to those who may ask, with the fields that every
  // answer has. Looks at the file at most once a second; one that is broken
  // leaves the rules as they were. Checking a password takes its time, so
  // these are no quick requests.
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
  // Shared with the requests that are being checked by them.
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
