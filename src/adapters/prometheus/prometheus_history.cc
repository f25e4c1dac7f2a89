#include "adapters/prometheus/prometheus_history.h"

#include <fmt/format.h>

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

// Roughly: strings have their own memory, and maps and vectors a part each.
size_t MemoryOf(const HistorySet& set) {
  constexpr size_t kSeries = 150;
  constexpr size_t kLabel = 100;
  size_t bytes = 0;
  for (const HistorySeries& series : set) {
    bytes += kSeries + series.times.size() * sizeof(series.times[0]) +
             series.values.size() * sizeof(series.values[0]);
    for (const auto& [name, value] : series.labels) {
      bytes += kLabel + name.size() + value.size();
    }
  }
  return bytes;
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

Error PrometheusHistory::TooLarge() const {
  return Corrupt(
      fmt::format("query {}: the answers take more than {}; ask for a shorter "
                  "window or a longer step",
                  name(), FormatBytes(pace_.bounds.answers)));
}

Result<HistorySet> PrometheusHistory::AskOne(const HistoryQuery& query,
                                             std::atomic<size_t>& memory,
                                             std::stop_token stop) {
  RangeChunks chunks(query, pace_.bounds);
  while (auto chunk = chunks.Next()) {
    if (memory > pace_.bounds.answers.count) return TooLarge();
    ASSIGN_OR_RETURN(HistorySet set, AskChunk(*chunk, stop));
    memory += MemoryOf(set);
    if (memory > pace_.bounds.answers.count) return TooLarge();
    RETURN_IF_ERROR(chunks.Add(std::move(set)).While("query " + name()));
  }
  return std::move(chunks).Take();
}

std::vector<Result<HistorySet>> PrometheusHistory::Ask(
    const std::vector<HistoryQuery>& queries, std::stop_token stop) {
  std::vector<Result<HistorySet>> answers(queries.size(), StoppedAsking());
  std::atomic<size_t> next = 0;
  std::atomic<size_t> memory = 0;  // of all answers
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
      answers[at] = AskOne(queries[at], memory, stop);
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
