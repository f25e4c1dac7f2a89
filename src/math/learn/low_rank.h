// A table of what several sources say of the same items, with gaps: filling
// the gaps and condensing the columns, by their few common factors.
#pragma once

#include <cstddef>

#include "learn/gaussian_process.h"

namespace mete {

// In all of them a row is an item, a column a source, and all rows have the
// same length.

// Columns of mean 0 and variance 1. A column without variance becomes 0.
Points Standardised(const Points& rows);

// Missing cells (NaN) are replaced by what the largest `rank` principal
// components of the table say, alternating between filling and components
// until it settles (Troyanskaya et al., "Missing value estimation methods for
// DNA microarrays", Bioinformatics 17 (2001), SVDimpute). A row without any
// cell becomes the columns' means. Cells that are there do not change.
Points FillMissing(const Points& rows, size_t rank);

// The items' scores on the largest `count` principal components of the
// columns, less what all columns of a row have in common: how sources differ.
// The first column of scores has variance 1, the others the root of their
// component's standard deviation relative to the first, so that weak
// components count less but are not lost.
Points DifferenceScores(const Points& rows, size_t count);

// What a straight line over `explained` leaves of each column, scaled to
// variance 1: what sources know beyond these figures of the items. A column
// that is explained altogether becomes 0.
Points Unexplained(const Points& rows, const Points& explained);

}  // namespace mete
