// The text files of the SEU gearbox recordings.
#pragma once

#include <filesystem>
#include <vector>

#include "support/result.h"

namespace mete {

// Reads the second column (vibration of the planetary gearbox along x) of the
// first tenth of the rows and skips 16 heading lines, which use a Chinese
// encoding. Columns are separated by tabs, in one file by commas. Fails with
// kCorrupt and the line when a cell is not a number.
Result<std::vector<float>> ReadGearboxFile(const std::filesystem::path& file);

}  // namespace mete
