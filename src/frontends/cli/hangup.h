// Notices SIGHUP, by which users ask a running program to read its
// configuration again.
#pragma once

namespace mete {

// While one exists, SIGHUP does not end the program. At most one at a time.
class HangupWatch {
 public:
  HangupWatch();
  ~HangupWatch();
  HangupWatch(const HangupWatch&) = delete;
  HangupWatch& operator=(const HangupWatch&) = delete;

  // True once after each signal.
  bool Take();
};

}  // namespace mete
