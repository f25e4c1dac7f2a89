// Analyzes everything that was measured of one job (a pod, a container, a
// process): what kind of job it is, and how much CPU and memory it needs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/analyze_series.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The series of one job. What was not measured is absent.
struct JobSeries {
  std::optional<TimeSeries> gpu_utilization;   // share of one GPU, 0 to 1
  std::optional<TimeSeries> gpu_memory_copy;   // share of the bandwidth, 0 to 1
  std::optional<TimeSeries> gpu_memory;        // bytes
  std::optional<TimeSeries> cpu;               // cores
  std::optional<TimeSeries> memory;            // bytes
  std::optional<TimeSeries> network_receive;   // bytes per second
  std::optional<TimeSeries> network_transmit;  // bytes per second
  std::optional<TimeSeries> disk_read;         // bytes per second
  std::optional<TimeSeries> disk_write;        // bytes per second
};

// The series of a job with their names: "gpu_utilization", "cpu", ….
struct JobMember {
  std::string_view name;
  std::optional<TimeSeries> JobSeries::*series;
};
std::span<const JobMember> MembersOfJob();

// What happened to the job, for its sizing.
struct JobEvents {
  // When its containers started. Without one, the series begins at the start.
  std::vector<double> starts;  // seconds since 1970-01-01 UTC
  // When it ran out of memory, and how much it had then.
  struct OutOfMemory {
    double time = 0;  // seconds since 1970-01-01 UTC
    Bytes limit;
  };
  std::vector<OutOfMemory> out_of_memory;
};

// What a job does most of the time.
enum class JobKind {
  kEmpty,        // uses nothing
  kTraining,     // repeats the same steps: cyclic
  kInference,    // driven by requests
  kDataBound,    // waits for its input: disk or network busy, GPU or CPU not
  kIdleHolding,  // holds memory without computing
  kOther,
};
// "empty", "training", "inference", "data_bound", "idle_holding", "other".
std::string_view ToString(JobKind kind);

// A kind, and the facts that speak for it.
struct KindOfJob {
  JobKind kind = JobKind::kOther;
  std::vector<std::string> evidence;  // "GPU utilization repeats every 12 s"
};

// A request and limit for one resource: cores or bytes.
struct ResourceAdvice {
  double request = 0;  // covers most of the time
  double limit = 0;    // covers the peaks
  double peak = 0;     // largest value after start-up
  // 0 to 1: grows with the length of the history. Request and limit have a
  // margin that shrinks as it grows.
  double confidence = 0;
};

// CPU and memory for the next run of the job. What was not measured is absent.
struct RightSizing {
  std::optional<ResourceAdvice> cpu;     // cores
  std::optional<ResourceAdvice> memory;  // bytes
  // What changed the advice: "raised after running out of memory at 2 GiB".
  std::vector<std::string> notes;
};

// A series of a job and its analysis.
struct NamedAnalysis {
  std::string name;  // as the member of JobSeries: "gpu_utilization"
  SeriesAnalysis analysis;
};

// The analysis of one job.
struct JobAnalysis {
  std::vector<NamedAnalysis> series;  // those that were measured
  KindOfJob kind;
  RightSizing sizing;
};

// What to analyze. `step`, `method`, `horizon` and `confidence` are as for
// AnalyzeRequest and apply to every series.
struct AnalyzeJobRequest {
  JobSeries series;
  JobEvents events;
  std::optional<Seconds> step;
  PeriodMethod method = PeriodMethod::kRegression;
  std::optional<Seconds> horizon;
  double confidence = 0.9;
};

// Fails as AnalyzeSeries does, with the name of the series. Pure; may be called
// by several threads at once.
Result<JobAnalysis> AnalyzeJob(const AnalyzeJobRequest& request);

}  // namespace mete
