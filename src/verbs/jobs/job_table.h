// Formats jobs for people and for spreadsheets.
#pragma once

#include <string>
#include <vector>

#include "domain/job.h"
#include "support/table.h"

namespace mete {

// One line per job: short id, time of submission (UTC), name, state, and runs
// completed and requested.
Table JobListTable(const std::vector<Job>& jobs);

// One job: its state, what it runs, when, and where to find more.
std::string JobText(const Job& job);

// One row per job; absent values are empty cells.
std::string JobCsv(const std::vector<Job>& jobs);

// "queued", "running, being cancelled", "failed".
std::string DescribeState(const Job& job);

}  // namespace mete
