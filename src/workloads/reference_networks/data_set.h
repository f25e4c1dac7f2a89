// The collections of bearing recordings: which file contains which fault.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ports/signal_reader.h"
#include "reference_networks/windows.h"

namespace mete {

// A file of one class: its path in the published collection, and where the
// signal is inside it.
struct Recording {
  int64_t label = 0;
  std::filesystem::path file;
  SignalPlace place;
};

// A collection of recordings.
struct DataSet {
  std::string name;
  int64_t classes = 0;                // number of network outputs
  std::vector<Recording> recordings;  // by label; empty: synthetic
};

// The default.
inline constexpr const char* kUsualDataSet = "synthetic";

// synthetic, SEU, MFPT, CWRU, PU.
const std::vector<std::string>& DataSetNames();
Result<DataSet> FindDataSet(std::string_view name);

// Which windows to load, and how.
struct DataSetRequest {
  DataSet set;
  std::filesystem::path folder;
  SplitRule rule = SplitRule::kOrdered;
  uint64_t seed = 0;  // for synthetic signals
  bool keep_training = true;
  // Skip classes whose files are missing instead of failing.
  bool partial = false;
  // Maximum number of validation windows, spread evenly; 0: all.
  size_t most_validation = 0;
};

// Fails with kInvalidInput if the set has files but no folder is given.
Status CheckFolderGiven(const DataSetRequest& request);

// Every file is searched at its published path below the folder, also without
// leading parts of that path. Fails with kNotFound and names the first missing
// file and the expected folders.
Result<SplitWindows> Load(const DataSetRequest& request, SignalReader& reader);

}  // namespace mete
