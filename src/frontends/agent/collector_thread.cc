#include "agent/collector_thread.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace mete {
namespace {

constexpr std::chrono::milliseconds kLastWait{200};

}  // namespace

// Shared by the thread and its owner, because either may end first.
struct CollectorThread::Shared {
  explicit Shared(std::unique_ptr<Collector> given)
      : collector(std::move(given)) {}

  const std::unique_ptr<Collector> collector;  // used only by the thread
  std::mutex mutex;
  std::condition_variable changed;
  // The mutex guards all members below.
  bool asked = false;
  bool busy = false;
  bool ending = false;
  bool fresh = false;  // a finished collection has not been taken yet
  MetricBatch batch;
  Status status;
  std::chrono::nanoseconds took{0};

  void Run() {
    MetricBatch working;
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return asked || ending; });
      if (ending) return;
      asked = false;
      busy = true;
      lock.unlock();
      working.Clear();
      // Not an injected Clock: a thread that hangs would outlive it.
      const auto start = std::chrono::steady_clock::now();
      Status done = collector->Collect(working);
      const auto end = std::chrono::steady_clock::now();
      lock.lock();
      std::swap(batch, working);
      status = std::move(done);
      took = end - start;
      fresh = true;
      busy = false;
      changed.notify_all();
    }
  }
};

CollectorThread::CollectorThread(std::unique_ptr<Collector> collector)
    : name_(collector->name()),
      shared_(std::make_shared<Shared>(std::move(collector))) {
  // Not a jthread: joining a thread that hangs would block forever.
  std::thread([shared = shared_] { shared->Run(); }).detach();
}

CollectorThread::~CollectorThread() {
  std::unique_lock lock(shared_->mutex);
  shared_->ending = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, kLastWait, [this] { return !shared_->busy; });
}

void CollectorThread::Ask() {
  std::lock_guard lock(shared_->mutex);
  shared_->fresh = false;
  begun_ = !shared_->busy;
  if (!begun_) return;
  shared_->asked = true;
  shared_->changed.notify_all();
}

void CollectorThread::Take(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(shared_->mutex);
  bool came = shared_->fresh;
  if (!came && begun_) {
    came = shared_->changed.wait_until(lock, deadline,
                                       [this] { return shared_->fresh; });
  }
  batch_.Clear();
  if (!came) {
    state_.success = false;
    state_.reason = "did not finish in time";
    ++state_.timeouts;
    return;
  }
  std::swap(batch_, shared_->batch);
  shared_->fresh = false;
  state_.success = shared_->status.ok();
  state_.reason = state_.success ? "" : shared_->status.error().message();
  state_.took = shared_->took;
}

}  // namespace mete
