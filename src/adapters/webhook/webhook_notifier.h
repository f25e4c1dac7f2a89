// Sends notices over HTTP from its own thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "ports/notifier.h"

namespace mete {

// Posts notices to their URLs.
class WebhookNotifier final : public Notifier {
 public:
  // Limit of the queue. With two seconds each, the last one is not hours late.
  static constexpr size_t kMostWaiting = 64;

  WebhookNotifier();
  // Drops notices that are still queued.
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
