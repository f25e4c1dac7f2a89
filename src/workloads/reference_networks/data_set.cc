#include "reference_networks/data_set.h"

#include <fmt/format.h>

#include <optional>

#include "reference_networks/choice.h"
#include "reference_networks/gearbox_file.h"
#include "reference_networks/synthetic.h"

namespace mete {
namespace {

// Southeast University: five conditions of a bearing and of a gear, each under
// two loads.
DataSet Seu() {
  DataSet set{.name = "SEU", .classes = 20};
  auto add = [&](const char* folder, const std::vector<const char*>& states) {
    for (const char* load : {"20_0", "30_2"}) {
      for (const char* state : states) {
        set.recordings.push_back(
            {.label = static_cast<int64_t>(set.recordings.size()),
             .file = fmt::format("gearbox/{}/{}_{}.csv", folder, state, load)});
      }
    }
  };
  add("bearingset", {"ball", "comb", "health", "inner", "outer"});
  add("gearset", {"Chipped", "Health", "Miss", "Root", "Surface"});
  return set;
}

// Society for Machinery Failure Prevention Technology: healthy, and faults of
// both rings under seven loads.
DataSet Mfpt() {
  const SignalPlace place{.variable = "bearing", .field = "gs"};
  DataSet set{.name = "MFPT", .classes = 15};
  set.recordings.push_back(
      {.file = "1 - Three Baseline Conditions/baseline_1.mat", .place = place});
  auto add = [&](const char* folder, const char* ring) {
    for (int load = 1; load <= 7; ++load) {
      set.recordings.push_back(
          {.label = static_cast<int64_t>(set.recordings.size()),
           .file =
               fmt::format("{}/{}RaceFault_vload_{}.mat", folder, ring, load),
           .place = place});
    }
  };
  add("3 - Seven More Outer Race Fault Conditions", "Outer");
  add("4 - Seven Inner Race Fault Conditions", "Inner");
  return set;
}

// Case Western Reserve University: drive end at 12 kHz, without load; healthy,
// then inner ring, ball and outer ring with faults of 7, 14 and 21 mil.
DataSet Cwru() {
  DataSet set{.name = "CWRU", .classes = 10};
  for (int number : {97, 105, 118, 130, 169, 185, 197, 209, 222, 234}) {
    const char* folder = number == 97 ? "Normal Baseline Data"
                                      : "12k Drive End Bearing Fault Data";
    set.recordings.push_back(
        {.label = static_cast<int64_t>(set.recordings.size()),
         .file = fmt::format("{}/{}.mat", folder, number),
         .place = {.variable = fmt::format("X{:03}_DE_time", number)}});
  }
  return set;
}

// Paderborn University: thirteen bearings with real damage.
DataSet Pu() {
  DataSet set{.name = "PU", .classes = 13};
  for (const char* bearing :
       {"KA04", "KA15", "KA16", "KA22", "KA30", "KB23", "KB24", "KB27", "KI14",
        "KI16", "KI17", "KI18", "KI21"}) {
    std::string stem = fmt::format("N15_M07_F10_{}_1", bearing);
    set.recordings.push_back(
        {.label = static_cast<int64_t>(set.recordings.size()),
         .file = fmt::format("{}/{}.mat", bearing, stem),
         .place = {.variable = stem, .field = "Y", .channel = "vibration_1"}});
  }
  return set;
}

DataSet Synthetic() {
  return {.name = "synthetic", .classes = kSyntheticClasses};
}

// Seed of the random splits, as in the Edge Benchmarking Framework: training
// and inference get the same split whatever their own seed.
constexpr uint64_t kSplitSeed = 40;

// Per class: one is left for validation.
constexpr size_t kFewestWindows = 5;

struct DataSetMaker {
  DataSet (*make)();
};
constexpr Named<DataSetMaker> kSets[] = {{"synthetic", {Synthetic}},
                                         {"SEU", {Seu}},
                                         {"MFPT", {Mfpt}},
                                         {"CWRU", {Cwru}},
                                         {"PU", {Pu}}};

std::optional<std::filesystem::path> FindFile(
    const std::filesystem::path& folder, const std::filesystem::path& file) {
  for (auto part = file.begin(); part != file.end(); ++part) {
    std::filesystem::path place = folder;
    for (auto rest = part; rest != file.end(); ++rest) place /= *rest;
    std::error_code error;
    if (std::filesystem::is_regular_file(place, error)) return place;
  }
  return std::nullopt;
}

Error Missing(const DataSetRequest& request, const Recording& recording) {
  return NotFound(fmt::format(
      "{} is not in {}: {} needs {} files (\"{}\" to \"{}\", with or without "
      "their folders); add --partial to use those that exist",
      recording.file.filename().string(), request.folder.string(),
      request.set.name, request.set.recordings.size(),
      request.set.recordings.front().file.string(),
      request.set.recordings.back().file.string()));
}

Result<std::vector<float>> ReadSignal(const Recording& recording,
                                      const std::filesystem::path& file,
                                      SignalReader& reader) {
  if (recording.place.variable.empty()) return ReadGearboxFile(file);
  return reader.Read(file, recording.place);
}

// Takes windows at even distances, so that every class remains.
LabelledWindows Thinned(LabelledWindows windows, size_t most) {
  if (most == 0 || windows.size() <= most) return windows;
  LabelledWindows thinned;
  for (size_t i = 0; i < most; ++i) {
    size_t window = i * windows.size() / most;
    thinned.Add(windows.at(window), windows.labels[window]);
  }
  return thinned;
}

}  // namespace

const std::vector<std::string>& DataSetNames() {
  static const std::vector<std::string> names = ListNames(kSets);
  return names;
}

Result<DataSet> FindDataSet(std::string_view name) {
  ASSIGN_OR_RETURN(DataSetMaker maker, Choose(kSets, "data set", name));
  return maker.make();
}

Status CheckFolderGiven(const DataSetRequest& request) {
  if (request.set.recordings.empty() || !request.folder.empty()) return {};
  return InvalidInput(fmt::format(
      "the data set {} needs files: set --data-dir to the folder with \"{}\" "
      "and the others (or use --dataset synthetic)",
      request.set.name, request.set.recordings.front().file.string()));
}

Result<SplitWindows> Load(const DataSetRequest& request, SignalReader& reader) {
  RETURN_IF_ERROR(CheckFolderGiven(request));
  std::error_code error;
  if (!request.folder.empty() &&
      !std::filesystem::is_directory(request.folder, error)) {
    return NotFound(request.folder.string() + ": no such folder");
  }
  SplitWindows windows;
  CutRequest cut{.rule = request.rule,
                 .seed = kSplitSeed,
                 .keep_training = request.keep_training};
  auto take = [&](int64_t label, const std::vector<float>& signal) {
    cut.label = label;
    cut.signal = signal;
    CutInto(windows, cut);
  };
  for (const Recording& recording : request.set.recordings) {
    auto file = FindFile(request.folder, recording.file);
    if (!file && request.partial) continue;
    if (!file) return Missing(request, recording);
    ASSIGN_OR_RETURN(std::vector<float> signal,
                     ReadSignal(recording, *file, reader));
    if (signal.size() < kFewestWindows * kWindow) {
      return Corrupt(fmt::format("{}: {} samples are not enough for {} windows",
                                 file->string(), signal.size(),
                                 kFewestWindows));
    }
    take(recording.label, signal);
    ++windows.recordings;
  }
  if (request.set.recordings.empty()) {
    for (int64_t label = 0; label < request.set.classes; ++label) {
      take(label, SyntheticSignal(label, request.seed));
    }
  }
  if (windows.validation.size() == 0) {
    return NotFound(fmt::format("found no files of the data set {} in {}",
                                request.set.name, request.folder.string()));
  }
  windows.validation =
      Thinned(std::move(windows.validation), request.most_validation);
  return windows;
}

}  // namespace mete
