// Port: sends notices over HTTP without blocking the sender.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"
#include "support/result.h"

namespace mete {

// A message to a URL.
struct Notice {
  std::string url;
  Json body;
  std::string about;  // returned with the result: name of the rule
};

// The result of sending a notice.
struct Delivery {
  std::string url;
  std::string about;
  Status status;
};

// Sends notices on another thread. The interface itself is not thread-safe.
class Notifier {
 public:
  virtual ~Notifier() = default;

  // Returns immediately. A notice that no longer fits into the queue becomes a
  // failed Delivery.
  virtual void Send(Notice notice) = 0;
  // Deliveries completed since the last call.
  virtual std::vector<Delivery> Ended() = 0;
};

}  // namespace mete
