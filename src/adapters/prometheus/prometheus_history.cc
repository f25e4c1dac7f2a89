#include "adapters/prometheus/prometheus_history.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

namespace mete {
namespace {

bool MayPass(const Error& error) {
  return error.code() == ErrorCode::kUnavailable ||
         error.code() == ErrorCode::kTimeout;
}

// Between 0.5 and 1.5, so that several clients do not return together.
double Jitter() {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::uniform_real_distribution(0.5, 1.5)(random);
}

Error StoppedAsking() {
  return Error(ErrorCode::kInterrupted, "query metrics: interrupted");
}

}  // namespace

Seconds PrometheusHistory::WaitBefore(int attempt,
                                      const RangeReply& reply) const {
  Seconds wait = pace_.first_wait * (1 << std::min(attempt - 1, 16)) * Jitter();
  wait = std::max(wait, reply.retry_after.value_or(Seconds(0)));
  return std::min(wait, pace_.longest_wait);
}

Result<HistorySet> PrometheusHistory::AskChunk(const HistoryQuery& chunk,
                                               std::stop_token stop) {
  for (int attempt = 1;; ++attempt) {
    RangeReply reply = client_.QueryRange(chunk, pace_.deadline, stop);
    if (reply.series.ok() || !MayPass(reply.series.error()) ||
        attempt >= pace_.attempts) {
      return std::move(reply.series);
    }
    auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(
        WaitBefore(attempt, reply));
    if (!clock_.SleepFor(wait, stop)) return StoppedAsking();
  }
}

Result<HistorySet> PrometheusHistory::AskOne(const HistoryQuery& query,
                                             std::stop_token stop) {
  RangeChunks chunks(query, pace_.bounds);
  while (auto chunk = chunks.Next()) {
    ASSIGN_OR_RETURN(HistorySet set, AskChunk(*chunk, stop));
    RETURN_IF_ERROR(chunks.Add(std::move(set)).While("query " + name()));
  }
  return std::move(chunks).Take();
}

std::vector<Result<HistorySet>> PrometheusHistory::Ask(
    const std::vector<HistoryQuery>& queries, std::stop_token stop) {
  std::vector<Result<HistorySet>> answers(queries.size(), StoppedAsking());
  std::atomic<size_t> next = 0;
  // A server that did not respond to one query after all attempts is not asked
  // the others: they would only wait, too.
  std::atomic<bool> lost = false;
  auto work = [&] {
    for (size_t at = next++; at < queries.size(); at = next++) {
      if (stop.stop_requested()) return;
      if (lost) {
        answers[at] = Unavailable("query " + name() + ": does not respond");
        continue;
      }
      answers[at] = AskOne(queries[at], stop);
      if (!answers[at].ok() && MayPass(answers[at].error())) lost = true;
    }
  };
  std::vector<std::jthread> threads;
  size_t count = std::min(queries.size(), std::max<size_t>(pace_.parallel, 1));
  for (size_t i = 1; i < count; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return answers;
}

}  // namespace mete
