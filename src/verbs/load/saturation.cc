// A service that is slower than its load piles up requests at a constant rate:
// with utilization rho > 1 it needs rho seconds for the requests of one second,
// so each second adds rho - 1 to the sojourn time. The sojourn times of such a
// window depend on its length. A service that keeps up reaches a level and
// stays there. Four signs, in the order in which they are looked for:
//
// Rejected. A bounded queue keeps sojourn times level by refusing requests. A
// service that refuses 1 % does not do the work it is given.
//
// Backlog. Requests without an answer at the end of the window, more than at
// its middle. Even a service with rho = 1 exactly accumulates at random: the
// number of arrivals minus departures of m requests has the variance
// (ca^2 + cs^2) m, with ca and cs the coefficients of variation of gaps and
// service times, at most 1 for Poisson arrivals and service times that vary no
// more than exponential ones. More than 3 standard deviations, 3 sqrt(2 m), is
// no accident. Comparing with the middle leaves out requests that are simply on
// their way, of which there are rate times sojourn time at any moment (Little).
//
// Unanswered. A request without an answer after the drain has waited for longer
// than any that was answered. If these are more than 1 %, the rest is not
// representative.
//
// Growing. The samples are cut into eight equal parts. Kendall's S of their
// medians, the number of pairs that ascend minus those that descend, is at
// least 20 of 28, which 8 values in random order reach with probability 0.0009.
// And the median of the last quarter exceeds that of the second (the first one
// may still contain the start) by half, and by 5 % of the time between the two:
// rho > 1.05. Of simulated windows of a single server with Poisson arrivals and
// exponential | constant service times, this share is called growing:
//
//   rho                   0.5        0.8        0.9        1.2        1.5
//   300 requests     0 | 0     1 % | 0    6 % | 3 %   74 | 91 %  97 | 100 %
//   1000 requests    0 | 0       0 | 0    1 % | 0     94 | 99 %      100 %
//
// Windows of 100 requests at rho = 0.9 are called growing in 13 | 10 %: they
// are too short for the queue to reach its level, so their numbers do depend on
// their length.
#include "load/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "stats/quantile.h"
#include "support/units.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

constexpr double kMostLost = 0.01;
constexpr double kBacklogSignificance = 3;
constexpr size_t kParts = 8;
constexpr size_t kFewestPerPart = 3;
constexpr int kLeastAscent = 20;
constexpr double kLeastGrowth = 1.5;
constexpr double kLeastSlope = 0.05;
constexpr double kNever = std::numeric_limits<double>::infinity();

bool Rejected(const LoadSample& sample) {
  return sample.fate == RequestFate::kFailed &&
         (sample.status == 429 || sample.status == 503);
}

// What the rules look at, of the requests that were sent.
struct SentRequests {
  // Of answered and unanswered requests, in seconds, by intended time.
  std::vector<double> at;
  std::vector<double> sojourn;  // kNever without an answer
  std::vector<double> late;     // of the generator
  size_t sent = 0;
  size_t rejected = 0;
  size_t unanswered = 0;
};

SentRequests Collect(const LoadSamples& samples) {
  SentRequests sent;
  for (const LoadSample& sample : samples.samples) {
    if (sample.fate == RequestFate::kNotSent) continue;
    ++sent.sent;
    if (Rejected(sample)) ++sent.rejected;
    if (sample.fate == RequestFate::kFailed) continue;
    auto sojourn = sample.Sojourn();
    if (!sojourn) ++sent.unanswered;
    sent.at.push_back(Seconds(sample.intended).count());
    sent.sojourn.push_back(sojourn ? sojourn->count() : kNever);
    sent.late.push_back(Seconds(sample.dispatched - sample.intended).count());
  }
  return sent;
}

// Requests that were due by then and not yet answered.
double BacklogAt(const LoadSamples& samples, nanoseconds moment) {
  size_t count = 0;
  for (const LoadSample& sample : samples.samples) {
    if (sample.intended > moment) break;
    if (sample.fate == RequestFate::kNotSent ||
        sample.fate == RequestFate::kFailed) {
      continue;
    }
    if (!sample.received || *sample.received > moment) ++count;
  }
  return static_cast<double>(count);
}

size_t CountIntended(const LoadSamples& samples, nanoseconds from,
                     nanoseconds to) {
  auto due = [](const LoadSample& sample, nanoseconds time) {
    return sample.intended < time;
  };
  auto begin = std::lower_bound(samples.samples.begin(), samples.samples.end(),
                                from, due);
  auto end = std::lower_bound(begin, samples.samples.end(), to, due);
  return static_cast<size_t>(end - begin);
}

SaturationVerdict JudgeBacklog(const LoadSamples& samples) {
  nanoseconds middle = samples.window / 2;
  double before = BacklogAt(samples, middle);
  double after = BacklogAt(samples, samples.window);
  auto count =
      static_cast<double>(CountIntended(samples, middle, samples.window));
  if (after - before <= kBacklogSignificance * std::sqrt(2 * count)) return {};
  return {.sign = SaturationSign::kBacklog,
          .explanation = fmt::format(
              "{:.0f} requests waited for an answer at the end of the window, "
              "{:.0f} in its middle",
              after, before)};
}

// The part-th of `parts` equal parts.
std::span<const double> PartOf(std::span<const double> values, size_t part,
                               size_t parts) {
  size_t begin = values.size() * part / parts;
  size_t end = values.size() * (part + 1) / parts;
  return values.subspan(begin, end - begin);
}

double MedianOf(std::span<const double> values) {
  std::vector<double> sorted = Sorted(values);
  // Without interpolation, which infinite values do not allow.
  return sorted[sorted.size() / 2];
}

int Ascent(std::span<const double> sojourn) {
  std::array<double, kParts> medians{};
  for (size_t part = 0; part < kParts; ++part) {
    medians[part] = MedianOf(PartOf(sojourn, part, kParts));
  }
  int ascent = 0;
  for (size_t i = 0; i < kParts; ++i) {
    for (size_t j = i + 1; j < kParts; ++j) {
      ascent += (medians[j] > medians[i]) - (medians[j] < medians[i]);
    }
  }
  return ascent;
}

SaturationVerdict JudgeGrowth(const SentRequests& sent) {
  if (sent.at.size() < kParts * kFewestPerPart) return {};
  if (Ascent(sent.sojourn) < kLeastAscent) return {};
  double early = MedianOf(PartOf(sent.sojourn, 1, 4));
  double later = MedianOf(PartOf(sent.sojourn, 3, 4));
  double between =
      MedianOf(PartOf(sent.at, 3, 4)) - MedianOf(PartOf(sent.at, 1, 4));
  if (later <= kLeastGrowth * early || later - early <= kLeastSlope * between) {
    return {};
  }
  // If requests were not even sent in time, it is not the service that is slow.
  double late = MedianOf(PartOf(sent.late, 3, 4));
  if (late > 0.5 * later) {
    return {.sign = SaturationSign::kGenerator,
            .explanation = fmt::format(
                "mete could not send fast enough: requests of the last quarter "
                "of the window were sent {} late",
                FormatSeconds(late))};
  }
  return {
      .sign = SaturationSign::kGrowing,
      .explanation = fmt::format(
          "sojourn times grew through the window: the median was {} in its "
          "second quarter and {} in its last",
          FormatSeconds(early),
          std::isfinite(later) ? FormatSeconds(later) : "beyond the drain")};
}

std::string Share(size_t part, size_t whole) {
  return fmt::format(
      "{:.3g} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::string_view ToString(SaturationSign sign) {
  switch (sign) {
    case SaturationSign::kNone:
      return "none";
    case SaturationSign::kRejected:
      return "rejected";
    case SaturationSign::kBacklog:
      return "backlog";
    case SaturationSign::kUnanswered:
      return "unanswered";
    case SaturationSign::kGrowing:
      return "growing";
    case SaturationSign::kGenerator:
      return "generator";
  }
  return "none";
}

SaturationVerdict JudgeSaturation(const LoadSamples& samples) {
  SentRequests sent = Collect(samples);
  double most_lost = kMostLost * static_cast<double>(sent.sent);
  if (static_cast<double>(sent.rejected) > most_lost) {
    return {.sign = SaturationSign::kRejected,
            .explanation =
                fmt::format("the service refused {} of the requests (status "
                            "429 or 503)",
                            Share(sent.rejected, sent.sent))};
  }
  SaturationVerdict growth = JudgeGrowth(sent);
  if (growth.sign == SaturationSign::kGenerator) return growth;
  SaturationVerdict backlog = JudgeBacklog(samples);
  if (backlog.saturated()) return backlog;
  // After an interruption nobody waited for the missing answers.
  if (!samples.interrupted &&
      static_cast<double>(sent.unanswered) > most_lost) {
    return {.sign = SaturationSign::kUnanswered,
            .explanation =
                fmt::format("{} of the requests had no answer after the drain",
                            Share(sent.unanswered, sent.sent))};
  }
  return growth;
}

}  // namespace mete
