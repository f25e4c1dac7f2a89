// Loads of simulated queues for tests of their summaries.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "load/load_samples.h"
#include "support/random.h"

namespace mete {

// A single server with Poisson arrivals; service times are constant or
// exponential with a mean of 1 ms.
struct SimulatedQueue {
  double utilization = 0.5;
  size_t requests = 1000;  // about
  bool exponential = false;
  uint64_t seed = 1;
};

inline LoadSamples SimulateQueue(const SimulatedQueue& queue) {
  constexpr double kMean = 1e-3;
  auto exponential = [](Random& random) {
    return -std::log1p(-random.Uniform());
  };
  auto to_time = [](double seconds) {
    return std::chrono::nanoseconds(std::llround(seconds * 1e9));
  };
  double gap = kMean / queue.utilization;
  double window = gap * static_cast<double>(queue.requests);
  LoadSamples samples{.name = "queue", .window = to_time(window)};
  Random random(queue.seed);
  double free_at = 0;
  for (double at = gap * exponential(random); at < window;
       at += gap * exponential(random)) {
    double work = queue.exponential ? kMean * exponential(random) : kMean;
    double begin = std::max(at, free_at);
    free_at = begin + work;
    LoadSample sample{.intended = to_time(at), .dispatched = to_time(at)};
    sample.sent = sample.intended;
    sample.timing = {.service = Seconds(work), .queue = Seconds(begin - at)};
    // The drain is another window.
    if (free_at <= 2 * window) {
      sample.received = to_time(free_at);
      sample.fate = RequestFate::kAnswered;
      sample.status = 200;
    }
    samples.samples.push_back(sample);
  }
  samples.drained = 2 * samples.window;
  return samples;
}

}  // namespace mete
