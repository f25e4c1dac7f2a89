// Low-rank methods for a table of values that several sources report for the
// same items, with gaps: fills the gaps and condenses the columns.
#pragma once

#include <cstddef>

#include "learn/gaussian_process.h"

namespace mete {

// In all tables a row is an item, a column is a source, and all rows have the
// same length.

// Scales columns to mean 0 and variance 1. A constant column becomes 0.
Points Standardised(const Points& rows);

// Replaces missing cells (NaN) by their values in the rank-`rank` principal
// component approximation, alternating between filling and components until it
// converges (Troyanskaya et al., "Missing value estimation methods for DNA
// microarrays", Bioinformatics 17 (2001), SVDimpute). A row without any cell
// gets the means of the columns. Other cells do not change.
Points FillMissing(const Points& rows, size_t rank);

// The items' scores on the largest `count` principal components of the columns
// after subtracting each row's mean: how the sources differ. The first column
// of scores has variance 1, the others the square root of their component's
// standard deviation relative to the first, so that weak components count less
// but are not lost.
Points DifferenceScores(const Points& rows, size_t count);

// The residual of each column after a linear regression on `explained`, scaled
// to variance 1: what the sources contain beyond these features of the items. A
// column that is fully explained becomes 0.
Points Unexplained(const Points& rows, const Points& explained);

}  // namespace mete
