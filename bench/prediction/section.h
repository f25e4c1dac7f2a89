// The sections of bench/prediction. Each evaluates one data set and returns the
// rows of one table.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "learn/gaussian_process.h"
#include "support/csv.h"
#include "support/result.h"

namespace mete::bench {

// A table row: the score of one predictor under one protocol.
struct Line {
  std::string protocol;
  std::string predictor;
  std::string metric;
  double value = 0;
  // Set for mete's predictors: the required value and the stretch goal.
  std::optional<double> target;
  std::optional<double> goal;
  bool shares = false;  // printed in percent
};

// The results on one data set: one table and a note.
struct Section {
  std::string name;
  // What the reader must know to judge the numbers.
  std::string note;
  std::vector<Line> lines;
};

// They fail with kNotFound if their file is not in `data`.
Result<Section> EmulatedDevices(const std::filesystem::path& data);
Result<Section> NasBench(const std::filesystem::path& data);
Result<Section> ImageNetworks(const std::filesystem::path& data);
Result<Section> EdgeBoards(const std::filesystem::path& data);

// The records of a CSV file below `data`, unpacked if its name ends in .gz.
Result<std::vector<CsvRecord>> ReadTable(const std::filesystem::path& file);

// Index of a column in the heading; CHECKs that it exists.
size_t FindColumn(const CsvRecord& heading, const std::string& name);

// NaN for an empty cell.
double ParseNumber(const std::string& cell);

double ComputeMean(const std::vector<double>& values);

// The first `count` items in a random order given by the seed.
std::vector<size_t> Draw(std::vector<size_t> items, size_t count,
                         uint64_t seed);

// Columns of b to the right of those of a.
Points Beside(const Points& a, const Points& b);

}  // namespace mete::bench
