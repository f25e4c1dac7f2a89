#include "simulate/gpu_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "support/csv.h"
#include "support/file.h"
#include "support/nearest.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

// Larger numbers are mistakes, and their sums must not overflow.
constexpr int64_t kLargestNumber = 1'000'000'000'000;
constexpr size_t kMostTypes = 64;

// A file with a heading, whose cells are found by the names of their columns.
class NamedColumns {
 public:
  static Result<NamedColumns> Parse(std::string_view text,
                                    const std::vector<std::string>& required) {
    ASSIGN_OR_RETURN(std::vector<CsvRecord> records, ParseCsv(text));
    if (records.empty()) return InvalidInput("the file is empty");
    NamedColumns file;
    const std::vector<std::string>& heading = records.front().cells;
    for (size_t i = 0; i < heading.size(); ++i) file.column_[heading[i]] = i;
    for (const std::string& name : required) {
      if (file.column_.contains(name)) continue;
      return InvalidInput(fmt::format("column '{}' is missing", name) +
                          DidYouMean(name, heading));
    }
    for (const CsvRecord& record : records) {
      if (record.cells.size() == heading.size()) continue;
      return InvalidInput(fmt::format("line {}: {} cells, but {} columns",
                                      record.line, record.cells.size(),
                                      heading.size()));
    }
    file.rows_.assign(records.begin() + 1, records.end());
    return file;
  }

  const std::vector<CsvRecord>& rows() const { return rows_; }

  // "" without such a column.
  std::string Text(const CsvRecord& row, const std::string& column) const {
    const auto found = column_.find(column);
    return found == column_.end() ? "" : row.cells[found->second];
  }

  Result<int64_t> Number(const CsvRecord& row, const std::string& column,
                         int64_t most) const {
    const std::string text = Text(row, column);
    const auto number = ParseNumber<int64_t>(text);
    if (number && *number >= 0 && *number <= most) return *number;
    return InvalidInput(
        fmt::format("line {}: {} is '{}'; expected a whole number from 0 to {}",
                    row.line, column, text, most));
  }

 private:
  std::map<std::string, size_t> column_;
  std::vector<CsvRecord> rows_;
};

// Numbers the types of GPUs.
class TypeNumbers {
 public:
  Result<GpuTypes> Bit(const std::string& name) {
    const auto [at, added] = numbers_.emplace(name, numbers_.size());
    if (at->second < kMostTypes) return GpuTypes{1} << at->second;
    return InvalidInput(fmt::format("more than {} types of GPUs", kMostTypes));
  }

 private:
  std::map<std::string, size_t> numbers_;
};

Status CheckNewName(const CsvRecord& row, const std::string& name,
                    std::set<std::string>& seen) {
  if (name.empty()) {
    return InvalidInput(fmt::format("line {}: the name is empty", row.line));
  }
  if (seen.insert(name).second) return {};
  return InvalidInput(
      fmt::format("line {}: '{}' appears twice", row.line, name));
}

Result<FreeNode> ParseNode(const NamedColumns& file, const CsvRecord& row,
                           TypeNumbers& types) {
  FreeNode node;
  ASSIGN_OR_RETURN(node.cpu_milli,
                   file.Number(row, "cpu_milli", kLargestNumber));
  ASSIGN_OR_RETURN(node.memory_mib,
                   file.Number(row, "memory_mib", kLargestNumber));
  ASSIGN_OR_RETURN(const int64_t gpus, file.Number(row, "gpu", kMostGpus));
  node.gpus = static_cast<int>(gpus);
  std::fill_n(node.gpu_milli.begin(), node.gpus, kWholeGpu);
  if (node.gpus > 0) {
    ASSIGN_OR_RETURN(node.type, types.Bit(file.Text(row, "model")));
  }
  return node;
}

Result<PodShape> ParsePod(const NamedColumns& file, const CsvRecord& row,
                          TypeNumbers& types) {
  PodShape pod;
  ASSIGN_OR_RETURN(pod.cpu_milli,
                   file.Number(row, "cpu_milli", kLargestNumber));
  ASSIGN_OR_RETURN(pod.memory_mib,
                   file.Number(row, "memory_mib", kLargestNumber));
  ASSIGN_OR_RETURN(const int64_t gpus, file.Number(row, "num_gpu", kMostGpus));
  pod.gpus = static_cast<int>(gpus);
  if (pod.gpus == 0) return pod;
  ASSIGN_OR_RETURN(const int64_t part,
                   file.Number(row, "gpu_milli", kWholeGpu));
  pod.gpu_milli = static_cast<int>(part);
  if (part == 0 || (gpus > 1 && part < kWholeGpu)) {
    return InvalidInput(
        fmt::format("line {}: a pod requires a part of one GPU (gpu_milli 1 to "
                    "1000) or several whole ones (1000), not {} x {}",
                    row.line, gpus, part));
  }
  const std::string spec = file.Text(row, "gpu_spec");
  if (spec.empty()) return pod;
  for (const std::string& name : SplitAt(spec, '|')) {
    ASSIGN_OR_RETURN(const GpuTypes bit, types.Bit(name));
    pod.types |= bit;
  }
  return pod;
}

Status AddNodes(std::string_view text, TypeNumbers& types, GpuTrace& trace) {
  ASSIGN_OR_RETURN(NamedColumns file,
                   NamedColumns::Parse(text, {"sn", "cpu_milli", "memory_mib",
                                              "gpu", "model"}));
  std::set<std::string> names;
  std::map<std::string, FreeNode> nodes;
  for (const CsvRecord& row : file.rows()) {
    const std::string name = file.Text(row, "sn");
    RETURN_IF_ERROR(CheckNewName(row, name, names));
    ASSIGN_OR_RETURN(FreeNode node, ParseNode(file, row, types));
    if (node.gpus == 0) {
      ++trace.nodes_without_gpus;
    } else {
      nodes[name] = node;
    }
  }
  if (nodes.empty()) return InvalidInput("no node has a GPU");
  for (const auto& [name, node] : nodes) trace.nodes.push_back(node);
  return {};
}

// Many nodes are equal, so only different ones are compared.
bool FitsSomewhere(const std::set<FreeNode>& kinds, const PodShape& pod) {
  return std::ranges::any_of(
      kinds, [&](const FreeNode& node) { return Fits(node, pod); });
}

Status AddPods(std::string_view text, TypeNumbers& types, GpuTrace& trace) {
  ASSIGN_OR_RETURN(NamedColumns file,
                   NamedColumns::Parse(text, {"name", "cpu_milli", "memory_mib",
                                              "num_gpu", "gpu_milli"}));
  const std::set<FreeNode> kinds(trace.nodes.begin(), trace.nodes.end());
  std::set<std::string> names;
  int64_t gpu_milli = 0;
  for (const CsvRecord& row : file.rows()) {
    const std::string name = file.Text(row, "name");
    RETURN_IF_ERROR(CheckNewName(row, name, names));
    ASSIGN_OR_RETURN(PodShape pod, ParsePod(file, row, types));
    trace.pods.push_back(pod);
    gpu_milli += pod.TotalGpuMilli();
    if (FitsSomewhere(kinds, pod)) continue;
    if (trace.too_large++ == 0) trace.first_too_large = name;
  }
  if (gpu_milli == 0) return InvalidInput("no pod requires a GPU");
  return {};
}

}  // namespace

int64_t GpuTrace::GpuMilli() const {
  int64_t sum = 0;
  for (const FreeNode& node : nodes) sum += node.FreeGpuMilli();
  return sum;
}

int GpuTrace::MostGpus() const {
  int most = 0;
  for (const PodShape& pod : pods) most = std::max(most, pod.gpus);
  return most;
}

Result<GpuTrace> ParseGpuTrace(const GpuTraceTexts& texts) {
  GpuTrace trace;
  TypeNumbers types;
  RETURN_IF_ERROR(AddNodes(texts.nodes, types, trace).While("nodes"));
  RETURN_IF_ERROR(AddPods(texts.pods, types, trace).While("pods"));
  return trace;
}

Result<GpuTrace> ReadGpuTrace(const std::string& nodes,
                              const std::string& pods) {
  ASSIGN_OR_RETURN(const std::string node_text, ReadFile(nodes));
  ASSIGN_OR_RETURN(const std::string pod_text, ReadFile(pods));
  auto trace = ParseGpuTrace({.nodes = node_text, .pods = pod_text});
  if (trace.ok() || trace.error().code() != ErrorCode::kCorrupt) return trace;
  // To the caller, a file that is not CSV is as invalid as a bad number.
  return InvalidInput(trace.error().message());
}

}  // namespace mete
