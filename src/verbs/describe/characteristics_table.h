// Formats characteristics as tables: for a terminal of 80 columns, and as CSV.
#pragma once

#include <cstdint>
#include <string>

#include "domain/characteristics.h"
#include "support/table.h"

namespace mete {

// The main metrics, one per row, for people to read: "1.82 G", "44.6 MiB".
// Absent ones read "unknown".
Table MetricsForPeople(const Characteristics& described);
// One row per node, at most 80 columns: the `top` nodes with most
// multiply-adds, those of unknown cost last, without Constant nodes. Long names
// are shortened in the middle.
Table LayersForPeople(const Characteristics& described, size_t top = SIZE_MAX);
// One row per operator of the layers, those with most multiply-adds first.
Table OperatorsForPeople(const Characteristics& described);

// Exact values in one row per network. Absent values are empty cells.
Table MetricsAsRow(const Characteristics& described);
// Exact values, one row per node.
Table LayersAsRows(const Characteristics& described);

}  // namespace mete
