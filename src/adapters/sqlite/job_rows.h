// Converts jobs to rows of the store and back.
#pragma once

#include <optional>

#include "adapters/sqlite/database.h"
#include "domain/job.h"
#include "support/result.h"

namespace mete {

// For SELECT; JobOfRow reads the columns in this order.
inline constexpr const char* kJobColumns =
    "id, name, device_id, state, submitted_at, started_at, ended_at, "
    "heartbeat_at, worker, cancel_requested, run_ids, folder, error, work";

// Call within a transaction.
Status InsertJob(Database& database, const Job& job);
// Fails with kCorrupt.
Result<Job> JobOfRow(const Statement& row);

// The value of the column of run ids.
std::string RunIdsText(const std::vector<std::string>& ids);
// NULL when absent.
std::optional<int64_t> TimeColumn(std::optional<Job::Time> time);

}  // namespace mete
