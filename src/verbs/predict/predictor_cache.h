// The predictors a server answers with: read at the start and looked for again
// now and then, so that what was trained meanwhile comes into use.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "predict/latency_predictor.h"
#include "support/clock.h"

namespace mete {

// From any thread. `read` is called from one thread of its own, and from the
// one that makes this.
class PredictorCache {
 public:
  using Reader = std::function<Result<PredictorSet>()>;

  PredictorCache(Reader read, Clock& clock);

  // Fails as reading them did last. Never waits for a reading.
  Result<std::shared_ptr<const PredictorSet>> Get() const;

  // Reads them now. Those in use stay when that fails.
  void Refresh();

 private:
  Reader read_;
  mutable std::mutex mutex_;
  std::shared_ptr<const PredictorSet> set_;
  std::optional<Error> error_;
  std::jthread thread_;
};

}  // namespace mete
