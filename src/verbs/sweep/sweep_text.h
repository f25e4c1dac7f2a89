// Formats a sweep for people and programs: the answer as a sentence, the points
// as a table, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "domain/sweep.h"
#include "support/json_fwd.h"
#include "support/table.h"
#include "sweep/answer.h"

namespace mete {

// "143 MiB", "0.25 CPUs", or both.
std::string MemoryText(uint64_t bytes);
std::string CpusText(uint64_t millicores);
std::string LimitsText(const PointLimits& limits);

// "works", "out of memory", …
std::string OutcomeText(const SweepPoint& point);

// "needs 143 MiB (confirmed 3/3; 142 MiB fails). Mean time per inference: 31.2
// ms (30.9 ms to 31.5 ms) with 1 CPU". Says "cannot tell" where the intervals
// of the fastest limits overlap.
std::string AnswerText(const Sweep& sweep);
// Notes that explain the points, as full sentences.
std::vector<std::string> MakeNotes(const Sweep& sweep,
                                   const SweepAnswer& answer);
// The answer, the points (tightest limits last) and the notes.
std::string SweepText(const Sweep& sweep);

// The output of SweepToJson with the answer added first.
Json SweepAnswerJson(const Sweep& sweep);

// One line per run, in base units.
std::string SweepCsv(const Sweep& sweep);
// The CSV of the Edge Benchmarking Framework: successful runs with the wall
// time of each phase in seconds, in its training columns if the steps are
// epochs. Fails with kInvalidInput when both limits were swept, because the
// framework has a separate table for each.
Result<std::string> PredecessorCsv(const Sweep& sweep);

}  // namespace mete
