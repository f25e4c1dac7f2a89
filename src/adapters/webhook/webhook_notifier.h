// Posts notices over HTTP from a thread of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "ports/notifier.h"

namespace mete {

class WebhookNotifier final : public Notifier {
 public:
  // As many may wait; two seconds each, so that the last is not hours late.
  static constexpr size_t kMostWaiting = 64;

  WebhookNotifier();
  // What still waits is dropped.
  ~WebhookNotifier() override;

  void Send(Notice notice) override;
  std::vector<Delivery> Ended() override;

 private:
  void Work(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Notice> waiting_;
  std::vector<Delivery> ended_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace mete
