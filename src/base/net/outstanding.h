// Counts requests and bodies that are under way: a server waits for them when
// it stops, and refuses bodies when there are too many.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace mete {

// Counts requests that are not finished yet. Thread-safe. Shared, because the
// thread that finishes the last one may outlive the server.
class Outstanding {
 public:
  // Returns false once closed.
  bool Add() {
    std::lock_guard lock(mutex_);
    if (!closed_) ++count_;
    return !closed_;
  }
  void Remove() {
    std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }
  // Accepts no more, and waits for the rest.
  void Close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    none_.wait(lock, [this] { return count_ == 0; });
  }
  // Returns false after `at_most`.
  bool WaitFor(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    return none_.wait_for(lock, at_most, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  size_t count_ = 0;
  bool closed_ = false;
};

// Counts one request while it is in scope.
class OneOutstanding {
 public:
  explicit OneOutstanding(Outstanding& all) : all_(all) { all_.Add(); }
  OneOutstanding(const OneOutstanding&) = delete;
  OneOutstanding& operator=(const OneOutstanding&) = delete;
  ~OneOutstanding() { all_.Remove(); }

 private:
  Outstanding& all_;
};

// The share of one body in the total of all bodies, or of all responses.
class BodyShare {
 public:
  explicit BodyShare(size_t& total) : total_(total) {}
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;
  ~BodyShare() { total_ -= share_; }

  void Set(size_t share) {
    total_ += share - share_;
    share_ = share;
  }

 private:
  size_t& total_;
  size_t share_ = 0;
};

}  // namespace mete
