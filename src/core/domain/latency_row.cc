#include "domain/latency_row.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "domain/run_json.h"
#include "support/clock.h"
#include "support/csv.h"

namespace mete {
namespace {

// Five cells form one optional value: either all are set or none.
struct SpeedCells {
  std::optional<double> gemm;
  std::optional<double> conv;
  std::optional<double> depthwise;
  std::optional<double> elementwise;
  std::optional<double> node;
};

SpeedCells ToCells(const std::optional<EngineSpeed>& speed) {
  if (!speed) return {};
  return {.gemm = speed->gemm_flops_per_second,
          .conv = speed->conv_flops_per_second,
          .depthwise = speed->depthwise_flops_per_second,
          .elementwise = speed->elementwise_bytes_per_second,
          .node = speed->node_seconds};
}

std::optional<EngineSpeed> ToSpeed(const SpeedCells& cells, int threads) {
  if (!cells.gemm || !cells.conv || !cells.depthwise || !cells.elementwise ||
      !cells.node) {
    return std::nullopt;
  }
  return EngineSpeed{.threads = threads,
                     .gemm_flops_per_second = *cells.gemm,
                     .conv_flops_per_second = *cells.conv,
                     .depthwise_flops_per_second = *cells.depthwise,
                     .elementwise_bytes_per_second = *cells.elementwise,
                     .node_seconds = *cells.node};
}

// The columns are listed only here; a visitor names, writes or reads them in
// this order.
template <typename Visitor>
void VisitSpeed(Visitor& visit, const std::string& prefix, int threads,
                std::optional<EngineSpeed>& speed) {
  SpeedCells cells = ToCells(speed);
  visit(prefix + "gemm_flops_per_second", cells.gemm);
  visit(prefix + "conv_flops_per_second", cells.conv);
  visit(prefix + "depthwise_flops_per_second", cells.depthwise);
  visit(prefix + "elementwise_bytes_per_second", cells.elementwise);
  visit(prefix + "node_seconds", cells.node);
  speed = ToSpeed(cells, speed ? speed->threads : threads);
}

template <typename Visitor>
void VisitNetwork(Visitor& visit, NetworkTraits& network) {
  visit("network", network.name);
  visit("sha256", network.sha256);
  visit("batch", network.batch);
  visit("conv_layers", network.counts.conv_layers);
  visit("pool_layers", network.counts.pool_layers);
  visit("fc_layers", network.counts.fc_layers);
  visit("filter_details", network.counts.filter_details);
  visit("total_parameters", network.counts.total_parameters);
  visit("input_bytes", network.input_bytes);
  visit("output_bytes", network.output_bytes);
  visit("flops", network.flops);
  visit("macs", network.macs);
  visit("weight_bytes", network.weight_bytes);
  visit("activation_bytes", network.activation_bytes);
  visit("peak_activation_bytes", network.peak_activation_bytes);
  visit("depth", network.depth);
  visit("nodes", network.nodes);
  for (size_t i = 0; i < kWorkClasses; ++i) {
    std::string prefix(ToString(static_cast<WorkClass>(i)));
    ClassWork& work = network.work[i];
    visit(prefix + "_nodes", work.nodes);
    visit(prefix + "_macs", work.macs);
    visit(prefix + "_flops", work.flops);
    visit(prefix + "_bytes", work.bytes);
    visit(prefix + "_log_depth", work.log_depth);
    visit(prefix + "_log_channels", work.log_channels);
    visit(prefix + "_log_positions", work.log_positions);
  }
}

template <typename Visitor>
void VisitRow(Visitor& visit, LatencyRow& row) {
  VisitNetwork(visit, row.network);
  visit("device", row.device);
  visit("emulated", row.emulated);
  visit("architecture", row.architecture);
  visit("cpus", row.cpus);
  visit("threads", row.threads);
  visit("cores", row.cores);
  visit("ram_bytes", row.ram_bytes);
  visit("max_frequency_hz", row.max_frequency_hz);
  VisitSpeed(visit, "one_thread_", 1, row.one_thread);
  VisitSpeed(visit, "all_threads_", row.threads, row.all_threads);
  visit("load_asked", row.load_asked);
  visit("load", row.load);
  visit("memory_available_bytes", row.memory_available_bytes);
  visit("engine", row.engine);
  visit("iterations", row.iterations);
  visit("seconds", row.seconds);
  visit("seconds_p50", row.seconds_p50);
  visit("joules", row.joules);
  visit("outcome", row.outcome);
  visit("started_at", row.started_at);
}

struct NameVisitor {
  template <typename Field>
  void operator()(const std::string& name, Field&) {
    names.push_back(name);
  }
  std::vector<std::string> names;
};

struct WritingVisitor {
  template <typename Field>
  void operator()(const std::string&, Field& field) {
    cells.push_back(Text(field));
  }

  static std::string Text(const std::string& text) { return text; }
  static std::string Text(bool flag) { return flag ? "true" : "false"; }
  static std::string Text(OutcomeKind kind) {
    return std::string(ToString(kind));
  }
  static std::string Text(std::chrono::system_clock::time_point time) {
    return FormatUtc(time);
  }
  static std::string Text(const std::optional<double>& number) {
    return number && std::isfinite(*number) ? fmt::format("{}", *number) : "";
  }
  // Shortest text that parses back to the same number.
  template <typename Number>
  static std::string Text(const Number& number) {
    return fmt::format("{}", number);
  }

  std::vector<std::string> cells;
};

template <typename Number>
Status ReadNumber(const std::string& cell, Number& number) {
  if (cell.empty()) return Corrupt("is empty");
  auto [end, error] =
      std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    return Corrupt(fmt::format("'{}' is not a valid number", cell));
  }
  return {};
}

Status ReadCell(const std::string& cell, std::string& text) {
  text = cell;
  return {};
}

Status ReadCell(const std::string& cell, bool& flag) {
  flag = cell == "true";
  if (flag || cell == "false") return {};
  return Corrupt(fmt::format("'{}' is not true or false", cell));
}

Status ReadCell(const std::string& cell, double& number) {
  RETURN_IF_ERROR(ReadNumber(cell, number));
  if (std::isfinite(number)) return {};
  return Corrupt(fmt::format("'{}' is not finite", cell));
}

Status ReadCell(const std::string& cell, std::optional<double>& number) {
  number.reset();
  if (cell.empty()) return {};
  double value = 0;
  RETURN_IF_ERROR(ReadCell(cell, value));
  number = value;
  return {};
}

Status ReadCell(const std::string& cell, int& number) {
  return ReadNumber(cell, number);
}
Status ReadCell(const std::string& cell, int64_t& number) {
  return ReadNumber(cell, number);
}
Status ReadCell(const std::string& cell, uint64_t& number) {
  return ReadNumber(cell, number);
}

Status ReadCell(const std::string& cell, OutcomeKind& kind) {
  ASSIGN_OR_RETURN(kind, ParseOutcome(cell));
  return {};
}

Status ReadCell(const std::string& cell,
                std::chrono::system_clock::time_point& time) {
  ASSIGN_OR_RETURN(time, ParseUtc(cell));
  return {};
}

// Consumes the cells one after the other and keeps the first error.
struct ReadingVisitor {
  template <typename Field>
  void operator()(const std::string& name, Field& field) {
    if (!status.ok()) return;
    status = ReadCell(record.cells[at++], field)
                 .While(fmt::format("line {}, column {}", record.line, name));
  }

  const CsvRecord& record;
  size_t at = 0;
  Status status;
};

std::vector<std::string> ColumnNames() {
  LatencyRow row;
  NameVisitor visitor;
  VisitRow(visitor, row);
  return std::move(visitor.names);
}

Status CheckHeading(const std::vector<std::string>& expected,
                    const CsvRecord& heading) {
  for (size_t i = 0; i < expected.size(); ++i) {
    std::string found = i < heading.cells.size() ? heading.cells[i] : "";
    if (found == expected[i]) continue;
    return Corrupt(fmt::format(
        "line {}: expected column '{}', found '{}'; is this a table of mete "
        "collect --export-table?",
        heading.line, expected[i], found));
  }
  if (heading.cells.size() == expected.size()) return {};
  return Corrupt(fmt::format("line {}: unknown column '{}'", heading.line,
                             heading.cells[expected.size()]));
}

Result<LatencyRow> ReadRow(const CsvRecord& record, size_t columns) {
  if (record.cells.size() != columns) {
    return Corrupt(fmt::format("line {}: has {} columns, not {}", record.line,
                               record.cells.size(), columns));
  }
  LatencyRow row;
  ReadingVisitor visitor{.record = record, .status = {}};
  VisitRow(visitor, row);
  RETURN_IF_ERROR(visitor.status);
  return row;
}

}  // namespace

std::string LatencyCsvHeader() { return CsvLine(ColumnNames()); }

std::string ToCsvLine(const LatencyRow& row) {
  LatencyRow copy = row;  // visitors may modify the row
  WritingVisitor visitor;
  VisitRow(visitor, copy);
  return CsvLine(visitor.cells);
}

Result<std::vector<LatencyRow>> ParseLatencyCsv(std::string_view text) {
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records, ParseCsv(text));
  if (records.empty()) return Corrupt("no heading");
  std::vector<std::string> names = ColumnNames();
  RETURN_IF_ERROR(CheckHeading(names, records[0]));
  std::vector<LatencyRow> rows;
  rows.reserve(records.size() - 1);
  for (size_t i = 1; i < records.size(); ++i) {
    ASSIGN_OR_RETURN(LatencyRow row, ReadRow(records[i], names.size()));
    rows.push_back(std::move(row));
  }
  return rows;
}

const std::string& NetworkKey(const LatencyRow& row) {
  const NetworkTraits& network = row.network;
  return network.sha256.empty() ? network.name : network.sha256;
}

}  // namespace mete
