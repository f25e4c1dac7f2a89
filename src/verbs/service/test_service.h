// For tests: a service on the fake engine, which a test can hold.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "service/inference_service.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/no_images.h"

namespace mete {

// Holds whoever passes until it is opened.
class Gate {
 public:
  void Pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void WaitForSomebody() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t waiting_ = 0;
  bool open_ = false;
};

// Collects what a service answers, from its threads.
class Answers {
 public:
  OnServed Take() {
    return [this](Result<ServedInference> served) {
      std::lock_guard lock(mutex_);
      answers_.push_back(std::move(served));
      changed_.notify_all();
    };
  }
  // Waits until there are `count`.
  std::vector<Result<ServedInference>> Wait(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return answers_.size() >= count; });
    return answers_;
  }
  size_t count() {
    std::lock_guard lock(mutex_);
    return answers_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Result<ServedInference>> answers_;
};

// Four numbers per item and an open batch.
inline std::vector<GraphValue> OpenBatchInput() {
  return {{.name = "input",
           .type = {.type = ElementType::kFloat,
                    .shape = Shape{{.symbol = "batch"}, {.size = 4}}}}};
}

// The fakes below a service. An inference takes 10 ms of the fake clock.
struct TestService {
  explicit TestService(EngineScript script = {.inputs = OpenBatchInput()})
      : engine(clock, std::move(script)) {}

  Result<std::unique_ptr<InferenceService>> Open(ServiceRequest request = {}) {
    request.network = "net.onnx";
    if (request.name.empty()) request.name = "net";
    request.uid = "1f";
    return InferenceService::Open(
        std::move(request),
        {.engine = engine, .images = images, .clock = clock});
  }

  FakeClock clock;
  FakeEngine engine;
  NoImages images;
};

}  // namespace mete
