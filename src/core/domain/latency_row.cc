#include "domain/latency_row.h"

#include "domain/csv_columns.h"

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

constexpr std::string_view kOrigin =
    "is this a table of mete collect --export-table?";

}  // namespace

std::string LatencyCsvHeader() {
  return CsvLine(ColumnNames<LatencyRow>(VisitRow<ColumnNamer>));
}

std::string ToCsvLine(const LatencyRow& row) {
  LatencyRow copy = row;  // visitors may modify the row
  CellWriter writer;
  VisitRow(writer, copy);
  return CsvLine(writer.cells);
}

Result<std::vector<LatencyRow>> ParseLatencyCsv(std::string_view text) {
  return ParseTable<LatencyRow>(text, kOrigin, VisitRow<ColumnNamer>,
                                VisitRow<CellReader>);
}

const std::string& NetworkKey(const LatencyRow& row) {
  const NetworkTraits& network = row.network;
  return network.sha256.empty() ? network.name : network.sha256;
}

}  // namespace mete
