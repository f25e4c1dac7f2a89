// The predictors that a server uses: read at startup and reloaded periodically,
// so that newly trained ones come into use.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "predict/latency_predictor.h"
#include "support/clock.h"

namespace mete {

// Holds the predictors last read. Thread-safe. `read` is called from a
// background thread and from the thread that constructs the cache.
class PredictorCache {
 public:
  using Reader = std::function<Result<PredictorSet>()>;

  PredictorCache(Reader read, Clock& clock);

  // Fails with the error of the last read. Never waits for a read.
  Result<std::shared_ptr<const PredictorSet>> Get() const;

  // Reads the predictors now. Keeps those in use when reading fails.
  void Refresh();

 private:
  Reader read_;
  mutable std::mutex mutex_;
  std::shared_ptr<const PredictorSet> set_;
  std::optional<Error> error_;
  std::jthread thread_;
};

}  // namespace mete
