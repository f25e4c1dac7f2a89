// Receives the events of applications.
#pragma once

#include "domain/app_metrics.h"

namespace mete {

// Receives decoded hook events, one call at a time, on the receiver's thread.
// If it is slow, the application loses events but no time: what it cannot send
// it drops and counts.
class AppEventSink {
 public:
  virtual ~AppEventSink() = default;

  virtual void Take(const AppEvent& event) = 0;
  virtual void TakeLoss(const AppLoss& loss) = 0;
};

}  // namespace mete
