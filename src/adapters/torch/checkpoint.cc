#include "adapters/torch/checkpoint.h"

#include <fstream>

#include "adapters/torch/libtorch_calls.h"
#include "support/file.h"

namespace mete {
namespace {

using torch::serialize::InputArchive;
using torch::serialize::OutputArchive;

Status Write(const std::filesystem::path& file, OutputArchive& archive) {
  return WriteFileAtomically(file, [&](int descriptor) {
    return Caught(file.string(), ErrorCode::kUnavailable, [&] {
      Status written;
      archive.save_to([&](const void* bytes, size_t size) {
        if (written.ok()) {
          written =
              WriteAll(descriptor, {static_cast<const char*>(bytes), size});
        }
        return size;
      });
      return written;
    });
  });
}

Result<InputArchive> Open(const std::filesystem::path& file) {
  // The library does not distinguish a missing file from a broken one.
  std::ifstream readable(file);
  if (!readable) return SystemError("read " + file.string(), errno);
  try {
    InputArchive archive;
    archive.load_from(file.string());
    return archive;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return Corrupt(file.string() + ": not a checkpoint");
  }
}

template <typename Part>
void Add(OutputArchive& archive, const std::string& name, Part& part) {
  OutputArchive inner(archive.compilation_unit());
  part->save(inner);
  archive.write(name, inner);
}

c10::IValue Get(InputArchive& archive, const std::string& name) {
  c10::IValue value;
  archive.read(name, value);
  return value;
}

void LoadNetwork(InputArchive& archive, TorchNetwork& network) {
  InputArchive inner;
  archive.read("network", inner);
  network->load(inner);
}

}  // namespace

std::filesystem::path LastFile(const std::filesystem::path& folder) {
  return folder / "last.pt";
}

std::filesystem::path BestFile(const std::filesystem::path& folder) {
  return folder / "best.pt";
}

Status SaveLast(const std::filesystem::path& folder, const TrainingState& state,
                TorchNetwork& network, torch::optim::Optimizer& optimizer) {
  OutputArchive archive;
  archive.write("settings", c10::IValue(state.settings));
  archive.write("reconstructing", c10::IValue(state.reconstructing));
  archive.write("epochs_done", c10::IValue(state.epochs_done));
  archive.write("best_epoch", c10::IValue(state.best_epoch));
  archive.write("best_accuracy", c10::IValue(state.best_accuracy));
  Add(archive, "network", network);
  auto* steps = &optimizer;
  Add(archive, "optimizer", steps);
  return Write(LastFile(folder), archive);
}

Result<TrainingState> ReadState(const std::filesystem::path& folder,
                                const std::string& settings) {
  const std::filesystem::path file = LastFile(folder);
  ASSIGN_OR_RETURN(InputArchive archive, Open(file));
  auto read = [&]() -> Result<TrainingState> {
    return TrainingState{
        .settings = Get(archive, "settings").toStringRef(),
        .reconstructing = Get(archive, "reconstructing").toBool(),
        .epochs_done = Get(archive, "epochs_done").toInt(),
        .best_epoch = Get(archive, "best_epoch").toInt(),
        .best_accuracy = Get(archive, "best_accuracy").toDouble()};
  };
  ASSIGN_OR_RETURN(TrainingState state,
                   Caught(file.string(), ErrorCode::kCorrupt, read));
  if (state.settings != settings) {
    return InvalidInput(file.string() + " was trained with other settings (" +
                        state.settings +
                        "); use the same settings or another --checkpoint");
  }
  return state;
}

Status LoadLast(const std::filesystem::path& folder, TorchNetwork& network,
                torch::optim::Optimizer& optimizer) {
  const std::filesystem::path file = LastFile(folder);
  ASSIGN_OR_RETURN(InputArchive archive, Open(file));
  return Caught(file.string(), ErrorCode::kCorrupt, [&]() -> Status {
    LoadNetwork(archive, network);
    InputArchive inner;
    archive.read("optimizer", inner);
    optimizer.load(inner);
    return {};
  });
}

Status SaveBest(const std::filesystem::path& folder, const BestNetwork& best,
                TorchNetwork& network) {
  OutputArchive archive;
  archive.write("name", c10::IValue(best.network));
  archive.write("classes", c10::IValue(best.classes));
  archive.write("input", c10::IValue(best.input));
  archive.write("epoch", c10::IValue(best.epoch));
  archive.write("accuracy", c10::IValue(best.accuracy));
  Add(archive, "network", network);
  return Write(BestFile(folder), archive);
}

Result<BestNetwork> LoadBest(const BestRequest& request,
                             TorchNetwork& network) {
  const std::filesystem::path file = BestFile(request.folder);
  const Architecture& expected = request.architecture;
  ASSIGN_OR_RETURN(InputArchive archive, Open(file));
  return Caught(
      file.string(), ErrorCode::kCorrupt, [&]() -> Result<BestNetwork> {
        BestNetwork best{.network = Get(archive, "name").toStringRef(),
                         .classes = Get(archive, "classes").toInt(),
                         .input = Get(archive, "input").toStringRef(),
                         .epoch = Get(archive, "epoch").toInt(),
                         .accuracy = Get(archive, "accuracy").toDouble()};
        if (best.network != expected.name || best.classes != expected.classes) {
          return InvalidInput(file.string() + " contains " + best.network +
                              " for " + std::to_string(best.classes) +
                              " classes, not " + expected.name + " for " +
                              std::to_string(expected.classes) + " classes");
        }
        if (best.input != request.input) {
          return InvalidInput(file.string() + " was trained on " + best.input +
                              ", not " + request.input);
        }
        LoadNetwork(archive, network);
        return best;
      });
}

}  // namespace mete
