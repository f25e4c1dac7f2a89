// The text files of the SEU gearbox recordings.
#pragma once

#include <filesystem>
#include <vector>

#include "support/result.h"

namespace mete {

// The second of the columns (vibration of the planetary gearbox along x) of
// the first tenth of the rows; 16 lines of heading, in a Chinese encoding, are
// skipped. Columns are separated by tabs, in one file by commas. Fails with
// kCorrupt and the line when a cell is no number.
Result<std::vector<float>> ReadGearboxFile(const std::filesystem::path& file);

}  // namespace mete
