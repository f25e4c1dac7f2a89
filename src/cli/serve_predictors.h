// The predictors a server answers with: read once, and looked for again as
// long as there are none.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "predict/latency_predictor.h"
#include "support/clock.h"

namespace mete {

// From any thread.
class ServePredictors {
 public:
  using Reader = std::function<Result<PredictorSet>()>;

  ServePredictors(Reader read, const Clock& clock)
      : read_(std::move(read)), clock_(clock) {}

  // Fails as reading them did last, which is tried again every few seconds:
  // `mete train` may be done meanwhile.
  Result<std::shared_ptr<const PredictorSet>> Get();

 private:
  Reader read_;
  const Clock& clock_;
  std::mutex mutex_;
  std::shared_ptr<const PredictorSet> set_;
  std::optional<Error> error_;
  std::chrono::nanoseconds tried_at_{0};
};

}  // namespace mete
