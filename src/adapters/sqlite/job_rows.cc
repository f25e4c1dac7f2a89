#include "adapters/sqlite/job_rows.h"

#include <fmt/format.h>

#include "adapters/sqlite/run_rows.h"
#include "support/json.h"

namespace mete {
namespace {

std::optional<Job::Time> ReadTime(const Statement& row, int column) {
  if (row.IsNull(column)) return std::nullopt;
  return FromMicroseconds(row.Integer(column));
}

Result<std::vector<std::string>> ReadRunIds(std::string_view text) {
  ASSIGN_OR_RETURN(Json json, ParseJson(text));
  std::vector<std::string> ids;
  for (const Json& id : json) {
    if (!id.is_string()) return Corrupt("read job: a run id is not a string");
    ids.push_back(id.get<std::string>());
  }
  return ids;
}

}  // namespace

std::string RunIdsText(const std::vector<std::string>& ids) {
  return CompactJson(Json(ids));
}

std::optional<int64_t> TimeColumn(std::optional<Job::Time> time) {
  if (!time) return std::nullopt;
  return Microseconds(*time);
}

Status InsertJob(Database& database, const Job& job) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.Prepare(fmt::format("INSERT INTO jobs ({}) VALUES (?, ?, ?, ?, "
                                   "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                   kJobColumns)));
  return insert.Bind(job.id)
      .Bind(job.name)
      .Bind(job.device_id)
      .Bind(ToString(job.state))
      .Bind(Microseconds(job.submitted))
      .Bind(TimeColumn(job.started))
      .Bind(TimeColumn(job.ended))
      .Bind(TimeColumn(job.heartbeat))
      .Bind(job.worker)
      .Bind(int64_t{job.cancel_requested ? 1 : 0})
      .Bind(RunIdsText(job.run_ids))
      .Bind(job.folder)
      .Bind(job.error)
      .Bind(CompactJson(job.work))
      .Run();
}

Result<Job> JobOfRow(const Statement& row) {
  Job job;
  job.id = row.Text(0);
  job.name = row.Text(1);
  job.device_id = row.Text(2);
  auto state = ParseJobState(row.Text(3));
  if (!state.ok()) return Corrupt("read job: " + state.error().message());
  job.state = *state;
  job.submitted = FromMicroseconds(row.Integer(4));
  job.started = ReadTime(row, 5);
  job.ended = ReadTime(row, 6);
  job.heartbeat = ReadTime(row, 7);
  job.worker = row.Text(8);
  job.cancel_requested = row.Integer(9) != 0;
  ASSIGN_OR_RETURN(job.run_ids, ReadRunIds(row.Text(10)));
  job.folder = row.Text(11);
  job.error = row.Text(12);
  ASSIGN_OR_RETURN(job.work, ParseJson(row.Text(13)));
  return job;
}

}  // namespace mete
