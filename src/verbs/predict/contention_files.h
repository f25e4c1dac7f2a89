// Stores predictors of contention in the folder of the predictors, one for each
// device.
#pragma once

#include <filesystem>
#include <string>

#include "contention/predictor_document.h"
#include "support/result.h"

namespace mete {

// Atomically replaces the predictor of the same device. Creates the folder.
// Returns the path of the file.
Result<std::filesystem::path> SaveContentionPredictor(
    const std::filesystem::path& folder, const ContentionDocument& document);

// Loads the predictor of a device, or the only one if no device is given. Fails
// with kUnavailable and says what to do when there is none, with kInvalidInput
// and the devices when there are several and none is given, and with kCorrupt
// or kUnsupported, naming the file that cannot be used.
Result<ContentionDocument> LoadContentionPredictor(
    const std::filesystem::path& folder, const std::string& device);

}  // namespace mete
