#include "domain/latency_row.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mete {
namespace {

LatencyRow FullRow() {
  LatencyRow row;
  row.network.name = "net, \"small\"";
  row.network.sha256 = "ab12";
  row.network.batch = 4;
  row.network.counts = {.conv_layers = 3,
                        .pool_layers = 2,
                        .fc_layers = 1,
                        .filter_details = 96,
                        .total_parameters = 10000000000000000000u,
                        .network_type = ""};
  row.network.input_bytes = 602112;
  row.network.flops = 1.25e9;
  row.network.depth = 7;
  row.network.work[0] = {.nodes = 2, .macs = 1e8, .log_depth = 4.125};
  row.network.work[kWorkClasses - 1].log_positions = 0.1;
  row.device = "half";
  row.emulated = true;
  row.architecture = "x86_64";
  row.cpus = 0.5;
  row.threads = 2;
  row.cores = 1;
  row.ram_bytes = 1 << 30;
  row.max_frequency_hz = 2.4e9;
  row.one_thread = EngineSpeed{1, 1e10, 2e10, 3e9, 4e9, 5e-6};
  row.all_threads = EngineSpeed{2, 2e10, 4e10, 6e9, 8e9, 6e-6};
  row.load_asked = 0.4;
  row.load = 0.391;
  row.memory_available_bytes = 5e8;
  row.engine = "onnxruntime 1.22.0";
  row.iterations = 100;
  row.seconds = 0.0123456789;
  row.seconds_p50 = 0.01;
  row.joules = 0.25;
  row.started_at = std::chrono::system_clock::from_time_t(1714566600);
  return row;
}

Result<std::vector<LatencyRow>> Parse(const std::string& lines) {
  return ParseLatencyCsv(LatencyCsvHeader() + lines);
}

TEST(LatencyRow, HasTheDocumentedHeading) {
  std::string heading = LatencyCsvHeader();
  EXPECT_EQ(heading.find("network,sha256,batch,conv_layers,pool_layers,"
                         "fc_layers,filter_details,total_parameters,"
                         "input_bytes,output_bytes,flops,macs,weight_bytes,"
                         "activation_bytes,peak_activation_bytes,depth,nodes,"
                         "pointwise_nodes,pointwise_macs,pointwise_flops,"
                         "pointwise_bytes,pointwise_log_depth,"
                         "pointwise_log_channels,pointwise_log_positions,"
                         "spatial_nodes,"),
            0u);
  EXPECT_NE(
      heading.find(
          "other_log_positions,device,emulated,architecture,cpus,threads,"
          "cores,ram_bytes,max_frequency_hz,"
          "one_thread_gemm_flops_per_second,one_thread_conv_flops_per_second,"
          "one_thread_depthwise_flops_per_second,"
          "one_thread_elementwise_bytes_per_second,one_thread_node_seconds,"
          "all_threads_gemm_flops_per_second,"),
      std::string::npos);
  EXPECT_NE(heading.find("all_threads_node_seconds,load_asked,load,"
                         "memory_available_bytes,engine,iterations,seconds,"
                         "seconds_p50,joules,outcome,started_at\n"),
            std::string::npos);
  EXPECT_EQ(std::count(heading.begin(), heading.end(), ',') + 1,
            17 + 7 * 13 + 8 + 10 + 10);
}

TEST(LatencyRow, RestoresEveryCell) {
  auto rows = Parse(ToCsvLine(FullRow()));
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  ASSERT_EQ(rows->size(), 1u);
  const LatencyRow& row = (*rows)[0];
  EXPECT_EQ(row.network.name, "net, \"small\"");
  EXPECT_EQ(row.network.counts.total_parameters, 10000000000000000000u);
  EXPECT_EQ(row.network.work[0].log_depth, 4.125);
  EXPECT_EQ(row.one_thread, FullRow().one_thread);
  EXPECT_EQ(row.all_threads, FullRow().all_threads);
  EXPECT_EQ(row.seconds, 0.0123456789);
  EXPECT_EQ(row.started_at, FullRow().started_at);
  EXPECT_EQ(ToCsvLine(row), ToCsvLine(FullRow()));
}

TEST(LatencyRow, WritesUnknownValuesAsEmptyCells) {
  LatencyRow row = FullRow();
  row.one_thread.reset();
  row.seconds.reset();
  row.joules.reset();
  row.outcome = OutcomeKind::kOutOfMemory;
  std::string line = ToCsvLine(row);
  EXPECT_NE(line.find(",,out_of_memory,"), std::string::npos) << line;
  LatencyRow read = Parse(line).value()[0];
  EXPECT_FALSE(read.one_thread.has_value());
  EXPECT_FALSE(read.seconds.has_value());
  EXPECT_EQ(read.outcome, OutcomeKind::kOutOfMemory);
}

TEST(LatencyRow, ErrorsNameLineAndColumn) {
  std::string good = ToCsvLine(FullRow());
  std::string bad = good;
  bad.replace(bad.find("1250000000"), 10, "fast");
  auto rows = Parse(good + bad);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(rows.error().message(),
            "line 3, column flops: 'fast' is not a valid number");
}

TEST(LatencyRow, RejectsInvalidNumbers) {
  std::string line = ToCsvLine(FullRow());
  line.replace(line.find("1250000000"), 10, "inf");
  EXPECT_EQ(Parse(line).error().message(),
            "line 2, column flops: 'inf' is not finite");
  line.replace(line.find("inf"), 3, "");
  EXPECT_EQ(Parse(line).error().message(), "line 2, column flops: is empty");
}

TEST(LatencyRow, RejectsAnotherHeading) {
  std::string heading = LatencyCsvHeader();
  heading.replace(heading.find("flops"), 5, "flips");
  EXPECT_EQ(ParseLatencyCsv(heading).error().message(),
            "line 1: expected column 'flops', found 'flips'; is this a table "
            "of mete collect --export-table?");
  EXPECT_FALSE(ParseLatencyCsv("").ok());
  EXPECT_FALSE(Parse("1,2,3\n").ok());
}

}  // namespace
}  // namespace mete
