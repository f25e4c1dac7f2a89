// HTTP basic authentication with bcrypt password hashes.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"
#include "net/http_server.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Accepts a bcrypt hash as written by htpasswd -B: "$2y$10$" and 53 more
// characters. Fails with kInvalidInput for anything else and for a cost above
// 14, which would take longer than a scrape may.
Status CheckBcrypt(std::string_view hash);

// Password hashes by user name. They have passed CheckBcrypt.
using BasicAuthUsers = std::map<std::string, std::string, std::less<>>;

// Checks the user name and password of a request. bcrypt takes about 0.1 s by
// design, so correct pairs are remembered and only one hash is computed at a
// time. A wrong password is followed by a pause for its address of four times
// the time it took, so guessing from one address uses at most a fifth of one
// CPU. During the pause, users at this address who are not yet remembered get
// 503 and must retry; other addresses do not notice. Remembered users are not
// delayed as long as the server has more than two handler threads.
//
// Thread-safe. Calls may block, so do not use it for quick requests.
class BasicAuth {
 public:
  // Remembered pairs: more than any set of Prometheus servers uses.
  static constexpr size_t kMostRemembered = 64;
  // Requests waiting while a hash is computed; each one blocks a thread.
  static constexpr size_t kMostQueued = 1;
  // Addresses whose pause is known; more share one pause.
  static constexpr size_t kMostAddresses = 1000;

  // `clock` must outlive it. Without users, every request passes.
  BasicAuth(BasicAuthUsers users, const Clock& clock);

  // Returns the response that refuses the request, or nothing if it may
  // proceed.
  std::optional<HttpReply> Refuse(const HttpRequest& request);

  const BasicAuthUsers& users() const { return users_; }

 private:
  enum class Verdict { kRight, kWrong, kBusy };
  // A name and password, and the address they came from.
  struct Attempt {
    std::string address;
    std::string name;
    std::string password;
  };
  static std::optional<Attempt> Parse(const HttpRequest& request);
  Verdict Check(const Attempt& attempt);
  Verdict Compute(const Attempt& attempt, const std::string& hash);
  // The next two are called with mutex_ locked.
  bool MayTry(const std::string& address);
  void Pause(const std::string& address, std::chrono::nanoseconds until);
  bool Remembers(const std::string& key);
  void Remember(const std::string& key);

  const BasicAuthUsers users_;
  const std::string nobody_;  // at the highest cost in use; matches no password
  const Clock& clock_;
  std::mutex mutex_;                     // guards the next three
  std::vector<std::string> remembered_;  // oldest first
  std::set<std::string> queued_;         // addresses; one attempt each
  std::map<std::string, std::chrono::nanoseconds> pauses_;  // their ends
  std::mutex computing_;
};

}  // namespace mete
