// Where mete-torch is: a program of its own, which not every machine has.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

inline constexpr std::string_view kTorchProgram = "mete-torch";

// Where it is looked for, in this order.
struct TorchPlaces {
  std::filesystem::path beside;  // the folder of the running mete
  std::string path;              // the variable PATH
};

// Its file. Fails with kUnavailable and what to do when it is nowhere.
Result<std::filesystem::path> FindTorch(const TorchPlaces& places);

// The words of a command, with mete-torch by its file where that is the
// program; others stay as they are. Fails as FindTorch does, also when it is
// named by a path that leads nowhere.
Result<std::vector<std::string>> WithTorchFound(
    std::vector<std::string> arguments, const TorchPlaces& places);

}  // namespace mete
