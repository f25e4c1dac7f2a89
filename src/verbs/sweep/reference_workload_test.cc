#include "sweep/reference_workload.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(TorchWorkloadName, IsNetworkTaskAndDataset) {
  EXPECT_EQ(TorchWorkloadName({"/opt/bin/mete-torch", "train", "--network",
                               "CNN_1d", "--dataset", "CWRU", "--data-dir",
                               "/data", "--epochs", "10"}),
            "CNN_1d train CWRU");
  EXPECT_EQ(TorchWorkloadName(
                {"mete-torch", "infer", "--dataset=SEU", "--network=MLP"}),
            "MLP infer SEU");
}

TEST(TorchWorkloadName, UsesTheDefaultNetworkAndDataset) {
  EXPECT_EQ(TorchWorkloadName({"mete-torch", "train"}),
            "CNN_1d train synthetic");
  EXPECT_FALSE(TorchWorkloadName({"mete-torch", "--help"}));
  EXPECT_FALSE(TorchWorkloadName({"mete-torch"}));
  EXPECT_FALSE(TorchWorkloadName({}));
}

TEST(TorchWorkloadName, OtherProgramsKeepTheirName) {
  EXPECT_FALSE(TorchWorkloadName({"./app", "train", "--network", "MLP"}));
}

TEST(CheckSweepable, RefusesTrainingIntoACheckpoint) {
  EXPECT_FALSE(
      CheckSweepable({"mete-torch", "train", "--checkpoint", "a"}).ok());
  EXPECT_FALSE(CheckSweepable({"mete-torch", "train", "--checkpoint=a"}).ok());
  EXPECT_TRUE(
      CheckSweepable({"mete-torch", "train", "--checkpoint", "a", "--fresh"})
          .ok());
  EXPECT_TRUE(CheckSweepable({"mete-torch", "train"}).ok());
  EXPECT_TRUE(
      CheckSweepable({"mete-torch", "infer", "--checkpoint", "a"}).ok());
  EXPECT_TRUE(CheckSweepable({"./app", "train", "--checkpoint", "a"}).ok());
}

TEST(LengthenInference, ConcernsOnlyInferenceWithoutADuration) {
  auto lengthened = [](std::vector<std::string> arguments) {
    LengthenInference(Seconds(5), arguments);
    return arguments.size() > 2 ? arguments.back() : "";
  };
  EXPECT_EQ(lengthened({"mete-torch", "infer"}), "5s");
  EXPECT_EQ(lengthened({"mete-torch", "infer", "--duration=2s"}),
            "--duration=2s");
  EXPECT_EQ(lengthened({"mete-torch", "train"}), "");
  EXPECT_EQ(lengthened({"./app", "infer"}), "");
}

TEST(FindReference, ParsesNamesOfMeteTorchWorkloads) {
  auto train = FindReference("CNN_1d train CWRU");
  ASSERT_TRUE(train);
  EXPECT_EQ(train->network, "CNN_1d");
  EXPECT_EQ(train->task, ReferenceTask::kTrain);
  EXPECT_EQ(train->dataset, "CWRU");
  EXPECT_EQ(TaskText(*train), "training, CWRU");
  auto infer = FindReference("MLP infer SEU");
  ASSERT_TRUE(infer);
  EXPECT_EQ(infer->task, ReferenceTask::kInfer);
  EXPECT_EQ(TaskText(*infer), "libtorch inference, SEU");
}

TEST(FindReference, RecognisesAFileOfAReferenceNetwork) {
  auto onnx = FindReference("CNN_1d-CWRU");
  ASSERT_TRUE(onnx);
  EXPECT_EQ(onnx->network, "CNN_1d");
  EXPECT_EQ(onnx->task, ReferenceTask::kOnnx);
  EXPECT_EQ(TaskText(*onnx), "ONNX Runtime, CWRU");
}

TEST(FindReference, IsAbsentForOtherWorkloads) {
  EXPECT_FALSE(FindReference("mobilenet-v2"));
  EXPECT_FALSE(FindReference("MLP-mixer"));
  EXPECT_FALSE(FindReference("app train CWRU"));
  EXPECT_FALSE(FindReference("app"));
  EXPECT_FALSE(FindReference("CNN_1d"));
  EXPECT_FALSE(FindReference("a b c"));
  EXPECT_FALSE(FindReference(""));
}

TEST(TorchWorkloadName, AFlagWithoutAValueIsIgnored) {
  EXPECT_EQ(TorchWorkloadName({"mete-torch", "train", "--network"}),
            "CNN_1d train synthetic");
}

TEST(TorchWorkloadName, TheLastFlagCounts) {
  EXPECT_EQ(TorchWorkloadName({"mete-torch", "train", "--network=MLP",
                               "--network", "CNN_1d"}),
            "CNN_1d train synthetic");
}

}  // namespace
}  // namespace mete
