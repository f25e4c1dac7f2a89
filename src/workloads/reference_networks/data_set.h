// The collections of bearing recordings: which files show which fault.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reference_networks/windows.h"
#include "ports/signal_reader.h"

namespace mete {

// A file of one class: its path below the collection's folder as published,
// and where the signal stands in it.
struct Recording {
  int64_t label = 0;
  std::filesystem::path file;
  SignalPlace place;
};

struct DataSet {
  std::string name;
  int64_t classes = 0;                // a network's outputs
  std::vector<Recording> recordings;  // by label; none: synthetic
};

// What is taken when nothing is said.
inline constexpr const char* kUsualDataSet = "synthetic";

// synthetic, SEU, MFPT, CWRU, PU.
const std::vector<std::string>& DataSetNames();
Result<DataSet> DataSetOf(std::string_view name);

struct DataSetRequest {
  DataSet set;
  std::filesystem::path folder;
  SplitRule rule = SplitRule::kOrdered;
  uint64_t seed = 0;  // of synthetic signals
  bool keep_training = true;
  // Classes whose files are not there are left out instead of an error.
  bool partial = false;
  // At most so many validation windows, taken evenly; 0: all.
  size_t most_validation = 0;
};

// Every file is found at its published path below the folder, or with leading
// parts of that path left out. Fails with kNotFound, the first file that is
// not there and the folders that are expected.
Result<SplitWindows> Load(const DataSetRequest& request, SignalReader& reader);

}  // namespace mete
