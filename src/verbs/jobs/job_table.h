// Jobs for people and for spreadsheets.
#pragma once

#include <string>
#include <vector>

#include "domain/job.h"
#include "support/table.h"

namespace mete {

// A line a job: short id, time of submission (UTC), name, state, runs made and
// wanted.
Table JobListTable(const std::vector<Job>& jobs);

// One job: how it stands, what it runs, when, and where to look further.
std::string JobText(const Job& job);

// A row a job; what is absent is an empty cell.
std::string JobCsv(const std::vector<Job>& jobs);

// "queued", "running, to be cancelled", "failed".
std::string DescribeState(const Job& job);

}  // namespace mete
