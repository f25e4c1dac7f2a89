// Port: tells others over HTTP, without keeping the teller waiting.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"
#include "support/result.h"

namespace mete {

struct Notice {
  std::string url;
  Json body;
  std::string about;  // given back with the result: the rule's name
};

// What became of one.
struct Delivery {
  std::string url;
  std::string about;
  Status status;
};

// From one thread; the work is done on another.
class Notifier {
 public:
  virtual ~Notifier() = default;

  // Returns at once. What cannot be kept waiting any more is a failed Delivery.
  virtual void Send(Notice notice) = 0;
  // Those that ended since the last call.
  virtual std::vector<Delivery> Ended() = 0;
};

}  // namespace mete
