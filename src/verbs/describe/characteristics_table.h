// Characteristics as tables: for a terminal of 80 columns, and as CSV.
#pragma once

#include <string>

#include "domain/characteristics.h"
#include "support/table.h"

namespace mete {

// Main figures, one a row, written for people: "1.82 G", "44.6 MiB". Absent
// ones read "unknown".
Table MetricsForPeople(const Characteristics& described);
// One row per node, at most 80 columns: long names lose their middle.
Table LayersForPeople(const Characteristics& described);

// Exact figures; an absent one is an empty cell. One row per network.
Table MetricsAsRow(const Characteristics& described);
// Exact figures, one row per node.
Table LayersAsRows(const Characteristics& described);

}  // namespace mete
