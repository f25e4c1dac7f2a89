#include "train/deepsets_program.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/file.h"
#include "support/json.h"
#include "support/spawn.h"

namespace mete {
namespace {

// A campaign of thousands of mixes takes minutes.
constexpr std::chrono::hours kLongestTraining{2};

std::string TableOf(std::span<const MeasuredMix> mixes) {
  std::string table = MixCsvHeader();
  for (const MeasuredMix& mix : mixes) {
    for (const MixObservation& row : mix.rows) table += ToCsvLine(row);
  }
  return table;
}

}  // namespace

Result<DeepSetsPredictor> TrainWithMeteTorch(
    const DeepSetsProgramRequest& request, const TorchPlaces& places,
    Clock& clock, const std::stop_token& stop) {
  ASSIGN_OR_RETURN(std::filesystem::path program, FindTorch(places));
  ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::Create());
  const std::filesystem::path table = folder.path() / "table.csv";
  const std::filesystem::path weights = folder.path() / "weights.json";
  RETURN_IF_ERROR(WriteFileAtomically(table, TableOf(request.mixes)));
  SpawnRequest spawn{
      .arguments = {program.string(), "train-contention", "--from",
                    table.string(), "--out", weights.string(), "--epochs",
                    fmt::to_string(request.epochs), "--seed",
                    fmt::to_string(request.seed)},
      .errors = STDERR_FILENO};
  if (!request.warm_start.empty()) {
    spawn.arguments.insert(spawn.arguments.end(),
                           {"--start", request.warm_start.string()});
  }
  ASSIGN_OR_RETURN(pid_t process, Spawn(spawn));
  auto status =
      WaitForProcess(process, clock.Now() + kLongestTraining, clock, stop)
          .While("train with mete-torch");
  if (!status.ok()) return status.error();
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) {
    return Unavailable("mete-torch could not train the network");
  }
  ASSIGN_OR_RETURN(std::string text, ReadFile(weights));
  ASSIGN_OR_RETURN(Json json, ParseJson(text));
  return DeepSetsPredictor::FromJson(json);
}

}  // namespace mete
