// Binds a measurement to some CPUs of this machine.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ports/host.h"
#include "support/result.h"

namespace mete {

// Fails with kInvalidInput and the first CPU of the list ("0-2,4") that does
// not exist or that this process may not use.
Status CheckPin(const std::string& pin, Host& host);

// "pinned to CPU 1", "pinned to CPUs 0-1,3".
std::string DescribePin(const std::string& pin);

// The calling thread bound to some CPUs. The destructor, on the same thread,
// restores those it had before.
class PinnedThread {
 public:
  // Without a list the thread stays as it is. Fails as CheckPin does.
  static Result<PinnedThread> Pin(const std::optional<std::string>& pin,
                                  Host& host);
  PinnedThread(PinnedThread&& other) noexcept
      : host_(other.host_), before_(std::exchange(other.before_, {})) {}
  PinnedThread& operator=(PinnedThread&&) = delete;
  ~PinnedThread();

 private:
  PinnedThread(Host& host, std::vector<int> before)
      : host_(host), before_(std::move(before)) {}

  Host& host_;
  std::vector<int> before_;  // empty: nothing to restore
};

}  // namespace mete
