#include "bench/prediction/section.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <numeric>

#include "support/check.h"
#include "support/file.h"
#include "support/random.h"

namespace mete::bench {
namespace {

// Runs gzip, which every Debian has, so the program needs no library.
Result<std::string> Unpack(const std::filesystem::path& file) {
  std::string command = "gzip -dc '" + file.string() + "'";
  auto close = [](FILE* pipe) { pclose(pipe); };
  std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"),
                                              close);
  if (!pipe) return Unavailable("start gzip");
  std::string text;
  std::array<char, 65536> buffer;
  while (size_t read = fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    text.append(buffer.data(), read);
  }
  return text;
}

}  // namespace

Result<std::vector<CsvRecord>> ReadTable(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    return NotFound("read " + file.filename().string() + ": no such file");
  }
  ASSIGN_OR_RETURN(std::string text,
                   file.extension() == ".gz" ? Unpack(file) : ReadFile(file));
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records, ParseCsv(text));
  if (records.size() < 2) {
    return Corrupt("read " + file.filename().string() + ": no rows");
  }
  return records;
}

size_t FindColumn(const CsvRecord& heading, const std::string& name) {
  for (size_t i = 0; i < heading.cells.size(); ++i) {
    if (heading.cells[i] == name) return i;
  }
  CHECK(false) << "no column " << name;
  return 0;
}

double ParseNumber(const std::string& cell) {
  if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::strtod(cell.c_str(), nullptr);
}

double ComputeMean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

std::vector<size_t> Draw(std::vector<size_t> items, size_t count,
                         uint64_t seed) {
  Random random(seed);
  count = std::min(count, items.size());
  for (size_t i = 0; i < count; ++i) {
    std::swap(items[i], items[i + random.Below(items.size() - i)]);
  }
  items.resize(count);
  return items;
}

Points Beside(const Points& a, const Points& b) {
  Points rows = a;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].insert(rows[i].end(), b[i].begin(), b[i].end());
  }
  return rows;
}

}  // namespace mete::bench
