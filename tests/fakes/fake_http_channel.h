// Servers with a queue each, in the time of a FakeClock: what a load generator
// sees of services whose service times are known exactly.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "net/http_channel.h"
#include "tests/fakes/fake_clock.h"

namespace mete {

// How a fake service works.
struct FakeService {
  // Time it works on a request; absent: it never answers.
  std::function<std::optional<std::chrono::nanoseconds>()> service_time;
  // Answers 503 at once while so many requests are in it.
  size_t most_waiting = SIZE_MAX;
  int status = 200;
  bool reports_times = true;  // in Server-Timing
};

// Every server works on one request after another. Sending takes no time;
// Work lets the time pass until the next answer or the given time.
class FakeHttpChannel final : public HttpChannel {
 public:
  // All servers work like `service`.
  FakeHttpChannel(FakeClock& clock, FakeService service)
      : clock_(clock), service_(std::move(service)) {}

  Result<size_t> AddServer(const HttpServerPlace& place) override {
    places.push_back(place);
    free_at_.emplace_back(0);
    return places.size() - 1;
  }
  size_t AddRequest(size_t server, const HttpRequest& request) override {
    requests.push_back(request);
    servers_.push_back(server);
    return requests.size() - 1;
  }
  void Send(size_t request, uint64_t tag) override {
    using std::chrono::nanoseconds;
    size_t server = servers_[request];
    nanoseconds now = clock_.Now();
    sent_to.push_back(server);
    if (Waiting(server) >= service_.most_waiting) {
      pending_.push_back({.server = server,
                          .tag = tag,
                          .sent = now,
                          .done = now,
                          .status = 503});
      return;
    }
    auto work = service_.service_time();
    if (!work) {
      ++never_;
      return;
    }
    nanoseconds begin = std::max(now, free_at_[server]);
    free_at_[server] = begin + *work;
    HttpExchange exchange{.server = server,
                          .tag = tag,
                          .sent = now,
                          .done = begin + *work,
                          .status = service_.status};
    if (service_.reports_times) {
      exchange.timing = {.service = *work, .queue = begin - now};
    }
    pending_.push_back(exchange);
  }
  void Work(std::chrono::nanoseconds until,
            std::vector<HttpExchange>& done) override {
    auto first = std::min_element(
        pending_.begin(), pending_.end(),
        [](const auto& a, const auto& b) { return a.done < b.done; });
    bool answer = first != pending_.end() && first->done <= until;
    std::chrono::nanoseconds next = answer ? first->done : until;
    if (next > clock_.Now()) clock_.Advance(next - clock_.Now());
    if (!answer) return;
    done.push_back(*first);
    pending_.erase(first);
  }
  size_t outstanding() const override { return pending_.size() + never_; }
  size_t queued() const override { return 0; }

  std::vector<HttpServerPlace> places;  // as they were added
  std::vector<HttpRequest> requests;
  std::vector<size_t> sent_to;  // server of each request, in order

 private:
  size_t Waiting(size_t server) const {
    return static_cast<size_t>(
        std::count_if(pending_.begin(), pending_.end(),
                      [&](const auto& one) { return one.server == server; }));
  }

  FakeClock& clock_;
  FakeService service_;
  std::vector<size_t> servers_;  // by request
  std::vector<std::chrono::nanoseconds> free_at_;
  std::deque<HttpExchange> pending_;
  size_t never_ = 0;
};

}  // namespace mete
