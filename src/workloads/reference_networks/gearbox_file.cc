#include "reference_networks/gearbox_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

#include "support/file.h"

namespace mete {
namespace {

constexpr size_t kHeading = 16;
constexpr size_t kColumn = 1;

size_t CountLines(std::istream& stream) {
  size_t lines = 0;
  for (std::string line; std::getline(stream, line);) ++lines;
  return lines;
}

// True if only blanks and a line end follow.
bool Ends(const char* end, std::string_view cell) {
  return std::string_view(end, cell.data() + cell.size())
             .find_first_not_of(" \r") == std::string_view::npos;
}

Result<float> ParseCell(std::string_view line, size_t number) {
  const char separator = line.find('\t') != line.npos ? '\t' : ',';
  for (size_t column = 0; column < kColumn; ++column) {
    size_t end = line.find(separator);
    line.remove_prefix(end == line.npos ? line.size() : end + 1);
  }
  line = line.substr(0, line.find(separator));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  float value = 0;
  auto [end, error] =
      std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc() || !Ends(end, line) || !std::isfinite(value)) {
    return Corrupt(
        fmt::format("line {}: no number in the second column", number));
  }
  return value;
}

}  // namespace

Result<std::vector<float>> ReadGearboxFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return SystemError("read " + file.string(), errno);
  const size_t lines = CountLines(stream);
  if (lines <= kHeading) return Corrupt(file.string() + ": no rows");
  std::vector<float> signal((lines - kHeading) / 10);
  stream.clear();
  stream.seekg(0);
  std::string line;
  for (size_t i = 0; i < kHeading; ++i) std::getline(stream, line);
  for (size_t i = 0; i < signal.size(); ++i) {
    std::getline(stream, line);
    Result<float> cell = ParseCell(line, kHeading + i + 1);
    if (!cell.ok()) return cell.error().While(file.string());
    signal[i] = *cell;
  }
  return signal;
}

}  // namespace mete
