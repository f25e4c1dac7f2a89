// A sweep for people and for other programs: the answer in a sentence, the
// points as a table, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "domain/sweep.h"
#include "support/json_fwd.h"
#include "support/table.h"
#include "sweep/answer.h"

namespace mete {

// "143 MiB", "0.25 CPU", and both.
std::string MemoryText(uint64_t bytes);
std::string CpusText(uint64_t millicores);
std::string LimitsText(const PointLimits& limits);

// "works", "out of memory", …
std::string OutcomeText(const SweepPoint& point);

// "needs 143 MiB (confirmed 3/3; 142 MiB fails), 1 CPU gives 31.2 ms, …".
std::string AnswerText(const Sweep& sweep);
// What a reader must know to read the points, in sentences.
std::vector<std::string> MakeNotes(const Sweep& sweep,
                                   const SweepAnswer& answer);
// The answer, then the points, the tightest last, then what to know.
std::string SweepText(const Sweep& sweep);

// What SweepToJson has, with the answer in front.
Json SweepAnswerJson(const Sweep& sweep);

// One line a run, in base units.
std::string SweepCsv(const Sweep& sweep);
// In the predecessor's columns: runs that worked, wall seconds of its phases;
// those of training where the steps are epochs. Fails with kInvalidInput when
// both limits were swept: it has a table for each.
Result<std::string> PredecessorCsv(const Sweep& sweep);

}  // namespace mete
