// Keeps the credentials for an API server current: token files are rotated and
// the tokens of plugins expire.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "adapters/kubernetes/cluster_access.h"
#include "net/http_client.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// What one request needs.
struct Login {
  HttpTrust trust;
  std::string authorization;  // value of the field; empty: none
};

// Thread-safe.
class Credentials {
 public:
  // Borrows the clock.
  Credentials(ClusterAccess access, Clock& clock)
      : access_(std::move(access)), clock_(clock) {}

  // Reads files again after a minute, and runs a plugin again shortly before
  // its credentials expire.
  Result<Login> Current(const std::stop_token& stop);

  // The server did not accept the last login: the next one is made again.
  void Forget();

 private:
  Result<Login> Make(const std::stop_token& stop);
  Status AddExec(Login& login, const std::stop_token& stop);

  const ClusterAccess access_;
  Clock& clock_;
  std::mutex mutex_;  // guards the rest
  std::optional<Login> login_;
  std::chrono::nanoseconds valid_until_{0};  // on the monotonic clock
};

}  // namespace mete
