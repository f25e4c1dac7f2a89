#include "adapters/torch/training.h"

#include <gmock/gmock.h>

#include "adapters/torch/inference.h"
#include "reference_networks/data_set.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// A few windows of three classes that are easy to distinguish.
SplitWindows EasyWindows() {
  SplitWindows windows;
  for (int64_t label = 0; label < 3; ++label) {
    Random random(static_cast<uint64_t>(label));
    std::vector<float> signal(20 * kWindow);
    for (size_t n = 0; n < signal.size(); ++n) {
      signal[n] = static_cast<float>(
          std::sin(0.05 * static_cast<double>((label + 1) * (label + 1)) *
                   static_cast<double>(n)) +
          0.1 * random.Normal());
    }
    CutInto(windows, {.signal = signal, .label = label});
  }
  return windows;
}

TrainingPlan PlanFor(const char* network) {
  return {.architecture = FindArchitecture(network, 3).value(),
          .normalisation = Normalisation::kMeanVariance,
          .epochs = 2,
          .middle_epochs = 1,
          .batch = 16,
          .seed = 5,
          .settings = network};
}

TrainingResult Trained(const TrainingPlan& plan, const SplitWindows& windows,
                       std::vector<EpochReport>* reports = nullptr) {
  return Train(plan, windows,
               [&](const EpochReport& report) {
                 if (reports != nullptr) reports->push_back(report);
               })
      .value();
}

TEST(Train, LearnsToDistinguishClasses) {
  TrainingPlan plan = PlanFor("CNN_1d");
  plan.epochs = 6;
  std::vector<EpochReport> reports;
  TrainingResult result = Trained(plan, EasyWindows(), &reports);
  ASSERT_THAT(reports, SizeIs(6));
  EXPECT_LT(reports.back().loss, reports.front().loss / 2);
  EXPECT_GT(result.best_accuracy, 0.9);
  EXPECT_EQ(
      reports[static_cast<size_t>(result.best_epoch - 1)].validation.value(),
      result.best_accuracy);
}

TEST(Train, EveryNetworkHasTheWeightsOfItsArchitecture) {
  SplitWindows windows = EasyWindows();
  for (const std::string& name : ArchitectureNames()) {
    TrainingPlan plan = PlanFor(name.c_str());
    plan.epochs = 1;
    std::vector<EpochReport> reports;
    TrainingResult result = Trained(plan, windows, &reports);
    uint64_t trained = 0;
    for (const auto& [path, values] : result.best) {
      if (path.find("running_") == path.npos) trained += values.size();
    }
    const Architecture& net = plan.architecture;
    EXPECT_EQ(trained, ParameterCount(net.encoder) +
                           ParameterCount(net.classifier) +
                           ParameterCount(net.decoder) +
                           ParameterCount(net.idle_encoder) +
                           ParameterCount(net.idle_decoder))
        << name;
    EXPECT_THAT(reports, SizeIs(net.autoencoder() ? 2 : 1)) << name;
  }
}

TEST(Train, TheSameSeedGivesTheSameWeights) {
  SplitWindows windows = EasyWindows();
  TrainingPlan plan = PlanFor("Alexnet1d");  // drops out at random
  TrainingResult one = Trained(plan, windows);
  EXPECT_EQ(one.best, Trained(plan, windows).best);
  plan.seed = 6;
  EXPECT_NE(one.best, Trained(plan, windows).best);
}

TEST(Train, FailsWhenTrainingDiverges) {
  TrainingPlan plan = PlanFor("LeNet1d");
  plan.optimizer = Optimizer::kSgd;
  plan.schedule.rate = 1e30;
  plan.epochs = 20;
  Result<TrainingResult> diverged =
      Train(plan, EasyWindows(), [](const EpochReport&) {});
  ASSERT_FALSE(diverged.ok());
  EXPECT_THAT(diverged.error().message(), HasSubstr("the loss is not finite"));
}

class CheckpointTest : public testing::Test {
 protected:
  ScratchFolder folder_ = ScratchFolder::Create().value();
  SplitWindows windows_ = EasyWindows();
};

// Some epochs, then the rest from the file: as if not interrupted.
TEST_F(CheckpointTest, AnInterruptedTrainingEndsTheSame) {
  for (const char* name : {"LeNet1d", "Sae1d"}) {
    TrainingPlan plan = PlanFor(name);
    plan.epochs = 4;
    plan.middle_epochs = 3;
    std::vector<EpochReport> whole;
    TrainingResult expected = Trained(plan, windows_, &whole);
    plan.checkpoint = folder_.path() / name;
    ASSERT_TRUE(MakeFolder(plan.checkpoint).ok());
    std::vector<EpochReport> parts;
    TrainingPlan first = plan;
    first.epochs = plan.architecture.autoencoder() ? 0 : 2;
    first.middle_epochs = 2;  // in the middle of reconstruction
    Trained(first, windows_, &parts);
    TrainingPlan second = plan;
    second.epochs = 3;
    Trained(second, windows_, &parts);
    TrainingResult found = Trained(plan, windows_, &parts);
    ASSERT_EQ(parts.size(), whole.size()) << name;
    for (size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(parts[i].loss, whole[i].loss) << name << " " << i;
      EXPECT_EQ(parts[i].validation, whole[i].validation) << name << " " << i;
    }
    EXPECT_EQ(found.best, expected.best) << name;
    EXPECT_EQ(found.best_epoch, expected.best_epoch) << name;
  }
}

// The program ended after best.pt and before last.pt.
TEST_F(CheckpointTest, KeepsABestFileThatIsAhead) {
  TrainingPlan plan = PlanFor("CNN_1d");
  plan.checkpoint = folder_.path();
  plan.epochs = 1;
  TrainingResult one = Trained(plan, windows_);
  std::string last = ReadFile(folder_.path() / "last.pt").value();
  plan.epochs = 6;
  TrainingResult all = Trained(plan, windows_);
  ASSERT_GT(all.best_accuracy, one.best_accuracy);
  ASSERT_TRUE(WriteFileAtomically(folder_.path() / "last.pt", last).ok());
  plan.epochs = 1;
  TrainingResult found = Trained(plan, windows_);
  EXPECT_EQ(found.best_epoch, all.best_epoch);
  EXPECT_EQ(found.best_accuracy, all.best_accuracy);
  EXPECT_EQ(found.best, all.best);
}

TEST_F(CheckpointTest, IsReplacedByAFreshTraining) {
  TrainingPlan plan = PlanFor("CNN_1d");
  plan.checkpoint = folder_.path();
  Trained(plan, windows_);
  plan.fresh = true;
  std::vector<EpochReport> reports;
  EXPECT_EQ(Trained(plan, windows_, &reports).resumed_after, 0);
  EXPECT_THAT(reports, SizeIs(2));
}

TEST_F(CheckpointTest, RejectsFewerEpochsThanItHas) {
  TrainingPlan plan = PlanFor("LeNet1d");
  plan.checkpoint = folder_.path();
  Trained(plan, windows_);
  plan.epochs = 1;
  Result<TrainingResult> refused =
      Train(plan, windows_, [](const EpochReport&) {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("more than 1"));
}

// Batches stay whole at the end of the windows, and each window counts once.
TEST_F(CheckpointTest, InferenceCountsEveryWindowOnce) {
  TrainingPlan plan = PlanFor("CNN_1d");
  plan.epochs = 6;
  plan.checkpoint = folder_.path();
  TrainingResult result = Trained(plan, windows_);
  LoadedNetwork network =
      LoadedNetwork::Open({.architecture = plan.architecture,
                           .normalisation = plan.normalisation,
                           .batch = 5,
                           .iterations = 9,
                           .checkpoint = folder_.path()})
          .value();
  InferenceResult inferred = network.Run(windows_.validation).value();
  EXPECT_EQ(inferred.seconds.size(), 9u);
  EXPECT_EQ(inferred.windows, windows_.validation.size());
  EXPECT_EQ(inferred.accuracy, result.best_accuracy);
}

TEST_F(CheckpointTest, TheBestFileContainsTheBestEpoch) {
  TrainingPlan plan = PlanFor("CNN_1d");
  plan.checkpoint = folder_.path();
  plan.epochs = 5;
  TrainingResult result = Trained(plan, windows_);
  LoadedNetwork network =
      LoadedNetwork::Open({.architecture = plan.architecture,
                           .normalisation = plan.normalisation,
                           .iterations = windows_.validation.size(),
                           .checkpoint = folder_.path()})
          .value();
  InferenceResult inferred = network.Run(windows_.validation).value();
  EXPECT_EQ(inferred.epoch, result.best_epoch);
  EXPECT_EQ(inferred.accuracy, result.best_accuracy);
}

TEST_F(CheckpointTest, RejectsTheFileOfAnotherTraining) {
  TrainingPlan plan = PlanFor("LeNet1d");
  plan.checkpoint = folder_.path();
  Trained(plan, windows_);
  plan.settings = "another";
  Result<TrainingResult> refused =
      Train(plan, windows_, [](const EpochReport&) {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(),
              HasSubstr("was trained with other settings ("));
  auto other =
      LoadedNetwork::Open({.architecture = FindArchitecture("MLP", 3).value(),
                           .checkpoint = folder_.path()});
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message(), HasSubstr("contains LeNet1d"));
  other = LoadedNetwork::Open({.architecture = plan.architecture,
                               .checkpoint = folder_.path(),
                               .input = "CWRU, mean-std"});
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message(), HasSubstr("not CWRU, mean-std"));
}

TEST_F(CheckpointTest, AnotherFileTypeIsCorrupt) {
  ASSERT_TRUE(WriteFileAtomically(folder_.path() / "last.pt", "no").ok());
  TrainingPlan plan = PlanFor("LeNet1d");
  plan.checkpoint = folder_.path();
  Result<TrainingResult> refused =
      Train(plan, windows_, [](const EpochReport&) {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
