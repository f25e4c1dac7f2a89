// How long a workload takes at a limit: the mean of its runs, a confidence
// interval, and a verdict on whether the number can be trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "domain/sweep.h"
#include "stats/interval.h"

namespace mete {

// The mean time at a limit.
struct TimeEstimate {
  double seconds = 0;  // per step if the workload has steps, else per run
  uint64_t runs = 0;   // successful
  // Of the mean, 95 %. Absent when it is not known how far off the mean may be.
  std::optional<Interval> interval;
  bool brief = false;  // covers too few periods of the CPU quota
  // Stable; not converged when the interval is wider than ±10 %; too few
  // samples when there is no interval.
  Verdict verdict;
};

// Estimates the time from the runs at the same limits; runs that did not work
// are skipped. Absent when none worked.
//
// Under a CPU quota most short steps run at full speed and a few wait for the
// next period, so that neither the median nor the times within one period say
// how fast the workload is. The mean over many periods does: it is the time of
// all steps divided by their number.
std::optional<TimeEstimate> EstimateTime(
    std::span<const SweepPoint* const> runs);

// Seconds per step, or of the whole run if the workload has no steps.
double TimeFor(const SweepPoint& point);

// How long the run observed the workload: all its steps, or the whole run.
Seconds ObservedTime(const SweepPoint& point);

// Whether it is certain that `first` takes less time: the intervals do not
// overlap.
bool IsFaster(const TimeEstimate& first, const TimeEstimate& second);

// "1.9 %": half of the interval, relative to the mean. Empty if absent.
std::string PrecisionText(const TimeEstimate& estimate);

// "31.0 ms (30.1 ms to 31.9 ms)", or "31.0 ms (too few samples)" without
// an interval.
std::string EstimateText(const TimeEstimate& estimate);

}  // namespace mete
