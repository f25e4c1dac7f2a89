// What bench/prediction is made of: sections, each over one set of data, that
// answer with the rows of one table.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "learn/gaussian_process.h"
#include "support/csv.h"
#include "support/result.h"

namespace mete::bench {

// One row: how well one predictor does under a protocol.
struct Line {
  std::string protocol;
  std::string predictor;
  std::string metric;
  double value = 0;
  // Set for ours: what was promised, and what was hoped for.
  std::optional<double> target;
  std::optional<double> goal;
  bool shares = false;  // printed in percent
};

struct Section {
  std::string name;
  // What the reader must know to judge the figures.
  std::string note;
  std::vector<Line> lines;
};

// Fail with kNotFound when `data` does not hold their file.
Result<Section> EmulatedDevices(const std::filesystem::path& data);
Result<Section> NasBench(const std::filesystem::path& data);
Result<Section> ImageNetworks(const std::filesystem::path& data);
Result<Section> EdgeBoards(const std::filesystem::path& data);

// The records of a CSV file below `data`, unpacked if its name ends in .gz.
Result<std::vector<CsvRecord>> ReadTable(const std::filesystem::path& file);

// Where the heading has a column; CHECKs that it does.
size_t FindColumn(const CsvRecord& heading, const std::string& name);

// NaN for an empty cell.
double ParseNumber(const std::string& cell);

double ComputeMean(const std::vector<double>& values);

// The first `count` of the items in an order drawn by the seed.
std::vector<size_t> Draw(std::vector<size_t> items, size_t count,
                         uint64_t seed);

// Columns of b to the right of those of a.
Points Beside(const Points& a, const Points& b);

}  // namespace mete::bench
