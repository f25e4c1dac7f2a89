// Sends requests to an API server: logs in, keeps to a request rate, and
// retries what may succeed later.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "adapters/kubernetes/credentials.h"
#include "net/http_client.h"
#include "support/clock.h"
#include "support/random.h"
#include "support/result.h"

namespace mete {

// A request below the server's address.
struct ApiRequest {
  std::string method = "GET";
  std::string target;          // "/api/v1/nodes?limit=500", encoded
  std::string content_type{};  // of the body
  std::string body{};
};

// A response that a retry would not change. The caller decides what a conflict
// (409) or an expired version (410) means to it.
struct ApiAnswer {
  int status = 0;
  std::string body;
  bool ok() const { return status >= 200 && status < 300; }
};

// How fast and how patiently requests are sent.
struct ApiPace {
  double per_second = 50;  // on average
  double burst = 100;      // at once
  // How long to retry connections that fail and servers that are overloaded.
  std::chrono::nanoseconds retry_for = std::chrono::seconds(30);
  std::chrono::nanoseconds first_wait = std::chrono::milliseconds(200);
  std::chrono::nanoseconds longest_wait = std::chrono::seconds(10);
  // Of one exchange: a page of a list takes seconds, but a server that sends a
  // byte now and then is never silent.
  std::chrono::milliseconds longest_exchange = std::chrono::minutes(5);
};

// A token bucket and the waits between attempts. Not thread-safe.
class ApiThrottle {
 public:
  ApiThrottle(ApiPace pace, uint64_t seed)
      : pace_(pace), tokens_(pace.burst), random_(seed) {}

  // Takes a token; returns how long to wait before the request may be sent.
  std::chrono::nanoseconds Take(std::chrono::nanoseconds now);
  // Before attempt `attempt` + 2: doubles each time, at most the longest, of
  // which a random half to whole; at least what the server asked for.
  std::chrono::nanoseconds Wait(int attempt,
                                std::optional<std::chrono::nanoseconds> asked);

 private:
  const ApiPace pace_;
  double tokens_;
  std::chrono::nanoseconds filled_{0};
  Random random_;
};

// Client of one API server. Thread-safe. Borrows the clock.
class ApiClient {
 public:
  ApiClient(ClusterAccess access, Clock& clock, ApiPace pace = {},
            uint64_t seed = 1);

  const ClusterAccess& access() const { return access_; }
  std::string name() const { return access_.cluster.server; }
  // Of its clock.
  std::chrono::nanoseconds Now() const { return clock_.Now(); }

  // Retries failed connections and the statuses 429, 500, 502, 503 and 504,
  // logs in again once after 401. Fails with kUnavailable or kTimeout when the
  // server does not recover in time, and like Credentials.
  Result<ApiAnswer> Send(const ApiRequest& request, std::stop_token stop = {});

  // The same for the answer to a single attempt, without a retry, whose body
  // goes to `sink` if it is successful.
  Result<ApiAnswer> Stream(const ApiRequest& request, const HttpSink& sink,
                           const HttpPatience& patience, std::stop_token stop);

  // Waits before the next attempt. Returns false when `stop` is requested.
  bool Pause(int attempt, std::stop_token stop,
             std::optional<std::chrono::nanoseconds> asked = {});

 private:
  Result<HttpResponse> Attempt(const ApiRequest& request, const HttpSink* sink,
                               const HttpPatience& patience,
                               const std::stop_token& stop);

  const ClusterAccess access_;
  Clock& clock_;
  const ApiPace pace_;
  Credentials credentials_;
  std::mutex mutex_;  // guards the throttle
  ApiThrottle throttle_;
};

// The error of an answer that is not ok, with the server's message. 400 and 422
// are kInvalidInput, 401 and 403 kPermissionDenied, 404 and 410 kNotFound.
Error ApiError(const ApiAnswer& answer, const std::string& act);

// The body of a successful answer, or its error.
Result<std::string> ApiBody(Result<ApiAnswer> answer, const std::string& act);

// Whether the message of a Status says that an object of the name exists.
bool AlreadyExists(const ApiAnswer& answer);

}  // namespace mete
