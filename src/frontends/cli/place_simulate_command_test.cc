#include "cli/place_simulate_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/test_command.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

class PlaceSimulateCommandTest : public testing::Test {
 protected:
  PlaceSimulateCommandTest() {
    Write("nodes.csv",
          "sn,cpu_milli,memory_mib,gpu,model\n"
          "a,32000,65536,4,T\nb,32000,65536,4,T\n");
    Write("pods.csv",
          "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
          "p,4000,1024,1,600,\nq,4000,1024,1,400,T\nr,8000,1024,2,1000,\n");
  }

  void Write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(WriteFileAtomically(folder.path() / name, text).ok());
  }

  CommandRun Simulate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"place", "simulate", "--nodes",
                                         folder.path() / "nodes.csv", "--pods",
                                         folder.path() / "pods.csv"});
    return RunCommand(arguments, [](Command root, Verbs& verbs) {
      AddPlaceSimulate(root.Add("place", "Place", "mete place"), verbs);
    });
  }

  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(PlaceSimulateCommandTest, PrintsALineForEachPolicyAndLevel) {
  const CommandRun run = Simulate(
      {"--policy", "bestfit,mete", "--seeds", "1-3", "--arrived", "130%,100%"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 nodes with 8 GPUs, 3 pods, 3 seeds"));
  EXPECT_THAT(run.out, HasSubstr("bestfit    100 %"));
  EXPECT_THAT(run.out, HasSubstr("mete       130 %"));
}

TEST_F(PlaceSimulateCommandTest, PrintsEveryRunAsJson) {
  const CommandRun run = Simulate(
      {"--seeds", "3,5-6", "--mix", "learned", "--jobs", "2", "-o", "json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = ParseJson(run.out).value();
  EXPECT_EQ(json["mix"], "learned");
  ASSERT_EQ(json["runs"].size(), 3u);
  EXPECT_EQ(json["runs"][2]["seed"], 6);
}

TEST_F(PlaceSimulateCommandTest, RejectsUnknownPoliciesSeedsAndLevels) {
  const CommandRun policy = Simulate({"--policy", "fdg"});
  EXPECT_EQ(policy.code, 2);
  EXPECT_THAT(policy.err, HasSubstr("did you mean 'fgd'?"));
  EXPECT_EQ(Simulate({"--policy", "fgd,fgd"}).code, 2);
  EXPECT_EQ(Simulate({"--seeds", "5-1"}).code, 2);
  EXPECT_EQ(Simulate({"--seeds", "1-100000"}).code, 2);
  EXPECT_EQ(Simulate({"--seed", "1", "--seeds", "2"}).code, 2);
  EXPECT_EQ(Simulate({"--arrived", "0%"}).code, 2);
  EXPECT_EQ(Simulate({"--mix", "guessed"}).code, 2);
}

TEST_F(PlaceSimulateCommandTest, ExplainsBadFilesInOneLine) {
  Write("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,-1,1,1,T\n");
  const CommandRun run = Simulate({});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("mete place simulate: nodes: line 2: "
                                 "cpu_milli is '-1'"));
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1);
}

TEST_F(PlaceSimulateCommandTest, FailsWithoutTheFile) {
  std::filesystem::remove(folder.path() / "pods.csv");
  EXPECT_EQ(Simulate({}).code, 1);
}

TEST_F(PlaceSimulateCommandTest, WarnsOfAPodLargerThanAnyNode) {
  Write("pods.csv",
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"
        "p,4000,1024,1,600\nhuge,4000,1024,8,1000\n");
  const CommandRun run = Simulate({});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("1 pod fits on no empty node and is always "
                                 "rejected; the first is 'huge'"));
}

TEST_F(PlaceSimulateCommandTest, ExitsWithThreeIfNoPodFits) {
  Write("pods.csv",
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"
        "huge,4000,1024,8,1000\n");
  EXPECT_EQ(Simulate({}).code, 3);
}

TEST_F(PlaceSimulateCommandTest, CanIgnoreTypesOfGpus) {
  Write("pods.csv",
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
        "p,1,1,1,1000,\nq,1,1,1,1000,X\n");
  const CommandRun strict = Simulate({"-o", "json"});
  const CommandRun relaxed = Simulate({"-o", "json", "--ignore-gpu-spec"});
  ASSERT_EQ(relaxed.code, 0) << relaxed.err;
  EXPECT_LT(ParseJson(strict.out).value()["runs"][0]["levels"][0]["allocated"],
            1.0);
  EXPECT_EQ(ParseJson(relaxed.out).value()["runs"][0]["levels"][0]["allocated"],
            1.0);
}

}  // namespace
}  // namespace mete
