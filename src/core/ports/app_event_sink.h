// Where the events of an application go.
#pragma once

#include "domain/app_metrics.h"

namespace mete {

// Takes what a receiver of hooks decoded, one call after another, on the
// receiver's thread. Slowness here costs the application's events, never its
// time: what it cannot hand over it drops and counts.
class AppEventSink {
 public:
  virtual ~AppEventSink() = default;

  virtual void Take(const AppEvent& event) = 0;
  virtual void TakeLoss(const AppLoss& loss) = 0;
};

}  // namespace mete
