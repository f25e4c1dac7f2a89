#include "adapters/torch/checkpoint.h"

#include <dlfcn.h>

#include "support/file.h"

namespace mete {
namespace {

using torch::serialize::InputArchive;
using torch::serialize::OutputArchive;

Status Write(const std::filesystem::path& file, OutputArchive& archive) {
  return WriteFileAtomically(file, [&](int descriptor) {
    Status written;
    archive.save_to([&](const void* bytes, size_t size) {
      if (written.ok()) {
        written = WriteAll(descriptor, {static_cast<const char*>(bytes), size});
      }
      return size;
    });
    return written;
  });
}

Result<InputArchive> Open(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return NotFound(file.string() + ": no such file");
  }
  try {
    InputArchive archive;
    archive.load_from(file.string());
    return archive;
  } catch (const c10::Error&) {
    return Corrupt(file.string() + ": is no checkpoint");
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
  TrainingState state;
  state.settings = Get(archive, "settings").toStringRef();
  if (state.settings != settings) {
    return InvalidInput(file.string() + " is of another training: " +
                        state.settings + "; choose another --checkpoint");
  }
  state.reconstructing = Get(archive, "reconstructing").toBool();
  state.epochs_done = Get(archive, "epochs_done").toInt();
  state.best_epoch = Get(archive, "best_epoch").toInt();
  state.best_accuracy = Get(archive, "best_accuracy").toDouble();
  return state;
}

Status LoadLast(const std::filesystem::path& folder, TorchNetwork& network,
                torch::optim::Optimizer& optimizer) {
  ASSIGN_OR_RETURN(InputArchive archive, Open(LastFile(folder)));
  LoadNetwork(archive, network);
  InputArchive inner;
  archive.read("optimizer", inner);
  optimizer.load(inner);
  return {};
}

Status SaveBest(const std::filesystem::path& folder, const BestNetwork& best,
                TorchNetwork& network) {
  OutputArchive archive;
  archive.write("name", c10::IValue(best.network));
  archive.write("classes", c10::IValue(best.classes));
  archive.write("epoch", c10::IValue(best.epoch));
  archive.write("accuracy", c10::IValue(best.accuracy));
  Add(archive, "network", network);
  return Write(BestFile(folder), archive);
}

Result<BestNetwork> LoadBest(const std::filesystem::path& folder,
                             const Architecture& architecture,
                             TorchNetwork& network) {
  const std::filesystem::path file = BestFile(folder);
  ASSIGN_OR_RETURN(InputArchive archive, Open(file));
  BestNetwork best{.network = Get(archive, "name").toStringRef(),
                   .classes = Get(archive, "classes").toInt(),
                   .epoch = Get(archive, "epoch").toInt(),
                   .accuracy = Get(archive, "accuracy").toDouble()};
  if (best.network != architecture.name ||
      best.classes != architecture.classes) {
    return InvalidInput(file.string() + " holds " + best.network + " for " +
                        std::to_string(best.classes) + " classes, not " +
                        architecture.name + " for " +
                        std::to_string(architecture.classes) + " classes");
  }
  LoadNetwork(archive, network);
  return best;
}

void UseThreads(int threads) {
  torch::set_num_threads(threads);
  // A BLAS of its own threads does not listen to libtorch. Whichever one the
  // system chose is already loaded.
  using Setter = void (*)(int);
  auto set =
      reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(threads);
}

}  // namespace mete
