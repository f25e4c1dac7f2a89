#include "simulate/simulation_text.h"

#include <gmock/gmock.h>

#include "simulate/test_traces.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

Simulation TwoRuns() {
  SimulatedLevel level{.arrived = 1, .allocated = 0.9512, .pods = 40};
  level.rejected = {{0, 1}, {2, 3}};
  Simulation simulation{
      .request = {.policies = {SimulatedPolicy::kFgd}, .seeds = {1, 2}},
      .most_gpus = 2};
  simulation.runs = {{.policy = SimulatedPolicy::kFgd,
                      .seed = 1,
                      .levels = {level},
                      .time = Seconds(0.25)}};
  simulation.summaries = {
      {.policy = SimulatedPolicy::kFgd,
       .level = 1,
       .runs = 2,
       .allocated = {.mean = 0.9512, .interval = Interval{0.9500, 0.9524}},
       .rejected = 4,
       .rejected_without_gpus = 1,
       .rejected_largest = 3,
       .time = Seconds(0.25)}};
  return simulation;
}

TEST(SimulationText, ShowsMeansWithTheirIntervals) {
  const std::string text = SimulationText(TestTrace(), TwoRuns());
  EXPECT_THAT(text, HasSubstr("3 nodes with 5 GPUs, 4 pods, 2 seeds; left out "
                              "1 node without GPUs"));
  EXPECT_THAT(text, HasSubstr("2-GPU"));
  EXPECT_THAT(text, HasSubstr("95.12 %  0.12       4.0          1.0    3.0"));
}

TEST(SimulationText, JsonHasEveryRun) {
  const Json json = SimulationJson(TestTrace(), TwoRuns());
  EXPECT_EQ(json["cluster"]["gpus"], 5);
  EXPECT_EQ(json["mix"], "known");
  EXPECT_EQ(json["policies"][0]["allocated_interval"][0], 0.95);
  EXPECT_EQ(json["runs"][0]["levels"][0]["rejected_by_gpus"]["2"], 3);
}

TEST(SimulationText, JsonHasNoIntervalOfOneRun) {
  Simulation simulation = TwoRuns();
  simulation.summaries[0].allocated.interval.reset();
  EXPECT_FALSE(SimulationJson(TestTrace(), simulation)["policies"][0].contains(
      "allocated_interval"));
}

TEST(SimulationText, CsvHasALineForEachRunAndLevel) {
  EXPECT_EQ(SimulationCsv(TwoRuns()),
            "policy,seed,arrived,allocated,pods,rejected,rejected_without_gpus,"
            "rejected_largest,seconds\n"
            "fgd,1,1.000000,0.951200,40,4,1,3,0.2500\n");
}

}  // namespace
}  // namespace mete
