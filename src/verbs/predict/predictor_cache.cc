#include "predict/predictor_cache.h"

namespace mete {
namespace {

// Shorter than `mete train` takes.
constexpr std::chrono::seconds kLookAgain{10};

}  // namespace

PredictorCache::PredictorCache(Reader read, Clock& clock)
    : read_(std::move(read)) {
  Refresh();
  thread_ = std::jthread([this, &clock](std::stop_token stop) {
    while (clock.SleepFor(kLookAgain, stop)) Refresh();
  });
}

Result<std::shared_ptr<const PredictorSet>> PredictorCache::Get() const {
  std::lock_guard lock(mutex_);
  if (set_ == nullptr) return *error_;
  return set_;
}

void PredictorCache::Refresh() {
  auto read = read_();
  std::lock_guard lock(mutex_);
  if (read.ok()) {
    set_ = std::make_shared<const PredictorSet>(*std::move(read));
  } else {
    error_ = read.error();
  }
}

}  // namespace mete
