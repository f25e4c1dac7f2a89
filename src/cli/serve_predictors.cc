#include "cli/serve_predictors.h"

namespace mete {
namespace {

constexpr std::chrono::seconds kTryAgain{5};

}  // namespace

Result<std::shared_ptr<const PredictorSet>> ServePredictors::Get() {
  std::lock_guard lock(mutex_);
  if (set_ != nullptr) return set_;
  if (error_ && clock_.Now() - tried_at_ < kTryAgain) return *error_;
  tried_at_ = clock_.Now();
  auto read = read_();
  if (!read.ok()) {
    error_ = read.error();
    return *error_;
  }
  set_ = std::make_shared<const PredictorSet>(*std::move(read));
  return set_;
}

}  // namespace mete
