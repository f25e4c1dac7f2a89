#include "jobs/job_table.h"

#include <fmt/format.h>

#include "jobs/job_work.h"
#include "measure/reproduce_command.h"
#include "support/clock.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

// The number of requested runs; empty when the work cannot be read.
std::string RequestedCommand(const Job& job) {
  auto work = JobWorkFromJson(job.work);
  return work.ok() ? std::to_string(work->application.repeat) : "";
}

std::string Stamp(const std::optional<Job::Time>& time) {
  return time ? FormatUtc(*time) : "";
}

std::string Times(const Job& job) {
  std::string text = "submitted " + FormatUtc(job.submitted);
  if (job.started) text += ", started " + FormatUtc(*job.started);
  if (job.ended) text += ", ended " + FormatUtc(*job.ended);
  return text + "\n";
}

}  // namespace

std::string DescribeState(const Job& job) {
  std::string state(ToString(job.state));
  bool waits = job.state == JobState::kRunning && job.cancel_requested;
  return waits ? state + ", being cancelled" : state;
}

Table JobListTable(const std::vector<Job>& jobs) {
  Table table({{"job"},
               {"submitted"},
               {"name"},
               {"state"},
               {"runs", Align::kRight},
               {"planned", Align::kRight}});
  for (const Job& job : jobs) {
    // As in the list of runs: "05-01 12:30", and the part of the id that
    // encodes the time.
    std::string utc = FormatUtc(job.submitted);
    table.AddRow({job.id.substr(0, 10),
                  utc.substr(5, 5) + " " + utc.substr(11, 5),
                  ShortenMiddle(job.name, 20), DescribeState(job),
                  std::to_string(job.run_ids.size()), RequestedCommand(job)});
  }
  return table;
}

std::string JobText(const Job& job) {
  std::string text = job.name + ": " + DescribeState(job) + "\n";
  if (!job.error.empty()) text += job.error + "\n";
  text += "\n";
  if (auto work = JobWorkFromJson(job.work); work.ok()) {
    text += MeasureCommand(work->application) + "\n";
  }
  text += Wrapped(Times(job));
  if (job.state == JobState::kRunning) text += "worker " + job.worker + "\n";
  if (!job.folder.empty()) text += "folder " + job.folder + "\n";
  for (const std::string& id : job.run_ids) text += "run " + id + "\n";
  return text + "job " + job.id + "\n";
}

std::string JobCsv(const std::vector<Job>& jobs) {
  Table table({{"job_id"},
               {"name"},
               {"state"},
               {"device_id"},
               {"submitted_at"},
               {"started_at"},
               {"ended_at"},
               {"runs"},
               {"wanted"},
               {"folder"},
               {"error"}});
  for (const Job& job : jobs) {
    table.AddRow({job.id, job.name, std::string(ToString(job.state)),
                  job.device_id, FormatUtc(job.submitted), Stamp(job.started),
                  Stamp(job.ended), std::to_string(job.run_ids.size()),
                  RequestedCommand(job), job.folder, job.error});
  }
  return table.Csv();
}

}  // namespace mete
