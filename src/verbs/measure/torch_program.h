// Finds mete-torch, a separate program that is not installed on every machine.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

inline constexpr std::string_view kTorchProgram = "mete-torch";

// The places to search, in this order.
struct TorchPlaces {
  std::filesystem::path beside;  // the folder of the running mete
  std::string path;              // the value of PATH
};

// Returns the path of mete-torch. Fails with kUnavailable and says how to
// install it when it is not found.
Result<std::filesystem::path> FindTorch(const TorchPlaces& places);

// Replaces mete-torch by its full path if it is the program of the command;
// other commands are returned unchanged. Fails as FindTorch does, also when the
// command names it by a path that does not exist.
Result<std::vector<std::string>> WithTorchFound(
    std::vector<std::string> arguments, const TorchPlaces& places);

}  // namespace mete
