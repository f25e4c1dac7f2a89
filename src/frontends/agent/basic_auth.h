// Names and passwords of those who may read the metrics, as bcrypt hashes.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"
#include "net/http_server.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// A bcrypt hash as htpasswd -B writes it: "$2y$10$" and 53 characters more.
// Fails with kInvalidInput for anything else, and for a cost above 14, which
// would take longer than a scrape may.
Status CheckBcrypt(std::string_view hash);

// By name; the hashes have passed CheckBcrypt.
using BasicAuthUsers = std::map<std::string, std::string, std::less<>>;

// bcrypt takes a tenth of a second on purpose. Pairs that were right are
// remembered, one hash is computed at a time, and after a wrong password there
// is a pause of four times as long: guessing costs the machine a fifth of one
// CPU at most. Who is new must try again meanwhile (503), and those who are
// remembered do not notice while the server has more than two threads for
// handlers.
//
// Safe to call from several threads. Waits, so not for quick requests.
class BasicAuth {
 public:
  // Kept: more than anybody's Prometheus servers have users.
  static constexpr size_t kMostRemembered = 64;
  // Behind the one whose hash is being computed; each holds a thread.
  static constexpr size_t kMostQueued = 1;

  // `clock` must outlive it. Without users everybody may pass.
  BasicAuth(BasicAuthUsers users, const Clock& clock);

  // The refusal, or absent when the caller may go on.
  std::optional<HttpReply> Refuse(const HttpRequest& request);

  const BasicAuthUsers& users() const { return users_; }

 private:
  enum class Verdict { kRight, kWrong, kBusy };
  Verdict Check(const std::string& name, const std::string& password);
  Verdict Compute(const std::string& hash, const std::string& password);
  bool Remembers(const std::string& key);
  void Remember(const std::string& key);

  const BasicAuthUsers users_;
  const std::string nobody_;  // as costly as the costliest; no password has it
  const Clock& clock_;
  std::mutex mutex_;                     // guards the next three
  std::vector<std::string> remembered_;  // oldest first
  size_t queued_ = 0;
  std::chrono::nanoseconds pause_until_{};
  std::mutex computing_;
};

}  // namespace mete
