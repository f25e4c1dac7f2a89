#include "predict/predict_networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_graph_files.h"
#include "tests/fakes/fake_predictor.h"

namespace mete {
namespace {

using testing::SizeIs;

class PredictNetworksTest : public testing::Test {
 protected:
  PredictNetworksTest() {
    snapshot.nodes = {{.name = "slow", .facts = {.cores = 1}},
                      {.name = "fast", .facts = {.cores = 4}}};
    request.networks = {{.name = "net", .counts = {.total_parameters = 4e6}}};
    set.counts = std::make_shared<FakePredictor>();
  }

  Result<PredictOutcome> Predict() {
    return PredictNetworks(
        request,
        {.predictors = [this]() -> Result<std::shared_ptr<const PredictorSet>> {
           if (no_predictors) return *no_predictors;
           return std::make_shared<const PredictorSet>(set);
         },
         .nodes = [this]() -> Result<NodeSnapshot> {
           ++asked;
           return snapshot;
         }});
  }

  NodeSnapshot snapshot;
  PredictorSet set;
  PredictRequest request;
  std::optional<Error> no_predictors;
  int asked = 0;  // number of calls for the nodes
};

TEST_F(PredictNetworksTest, RanksTheChosenNodes) {
  auto outcome = Predict();
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  const auto& answers = std::get<Answers>(*outcome);
  ASSERT_THAT(answers.networks, SizeIs(1));
  const Ranking& ranking = answers.networks[0].ranking;
  ASSERT_THAT(ranking.devices, SizeIs(2));
  EXPECT_EQ(answers.nodes.nodes[ranking.devices[0].node].name, "fast");
  EXPECT_DOUBLE_EQ(ranking.devices[0].estimate->value, 0.001);
  EXPECT_DOUBLE_EQ(ranking.devices[1].estimate->value, 0.004);
}

TEST_F(PredictNetworksTest, AssumesTheLoadOfTheRequest) {
  request.nodes = {.names = {"fast"}, .load = 0.5};
  const auto answers = std::get<Answers>(Predict().value());
  ASSERT_THAT(answers.networks[0].ranking.devices, SizeIs(1));
  EXPECT_DOUBLE_EQ(answers.networks[0].ranking.devices[0].estimate->value,
                   0.0015);
}

TEST_F(PredictNetworksTest, EnergyNeedsAnEnergyPredictor) {
  request.objective = Objective::kEnergy;
  EXPECT_TRUE(std::holds_alternative<NoEnergyPredictor>(Predict().value()));
  EXPECT_EQ(asked, 0);
}

TEST_F(PredictNetworksTest, UnknownNodeIsReported) {
  request.nodes.names = {"nobody"};
  EXPECT_EQ(std::get<UnknownNode>(Predict().value()).name, "nobody");
}

TEST_F(PredictNetworksTest, FailsWhenPredictorsAreUnavailable) {
  no_predictors = Unavailable("train some");
  EXPECT_EQ(Predict().error().message(), "train some");
}

TEST(AskAboutFiles, MakesAQuestionFromTheTraitsOfEachFile) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string path = folder.path() / "relu.onnx";
  ASSERT_TRUE(WriteFileAtomically(path, "relu").ok());
  FakeGraphFiles files;
  auto questions = AskAboutFiles({.paths = {path}, .batch = 2}, files);
  ASSERT_TRUE(questions.ok()) << questions.error().message();
  ASSERT_THAT(*questions, SizeIs(1));
  EXPECT_EQ(questions->front().name, "relu");
  EXPECT_DOUBLE_EQ(questions->front().traits->input_bytes, 2 * 4 * 4);
}

TEST(AskAboutFiles, RefusesABatchThatNoInputTakes) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string path = folder.path() / "relu.onnx";
  ASSERT_TRUE(WriteFileAtomically(path, "relu").ok());
  FakeGraphFiles files;
  NetworkFiles request{.paths = {path},
                       .shapes = {{.input = "input", .sizes = {3, 4}}},
                       .batch = 2};
  auto refused = AskAboutFiles(request, files);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidInput);
  request.batch = 3;
  EXPECT_TRUE(AskAboutFiles(request, files).ok());
}

// The values are for runs that check the prediction.
TEST(AskAboutFiles, AValueAppliesToTheNetworksThatHaveItsInput) {
  ScratchFolder folder = ScratchFolder::Create().value();
  NetworkFiles request{.inputs = {"input=ones"}};
  for (const char* name : {"a.onnx", "b.onnx"}) {
    request.paths.push_back(folder.path() / name);
    ASSERT_TRUE(WriteFileAtomically(request.paths.back(), name).ok());
  }
  FakeGraphFiles files;
  auto questions = AskAboutFiles(request, files);
  ASSERT_TRUE(questions.ok()) << questions.error().message();
  EXPECT_EQ((*questions)[1].inputs, std::vector<std::string>{"input=ones"});
  request.inputs.push_back("sr=16000");
  EXPECT_EQ(AskAboutFiles(request, files).error().message(),
            "no network has an input 'sr'");
}

TEST(AskAboutFiles, AShapeAppliesToTheNetworksThatHaveItsInput) {
  ScratchFolder folder = ScratchFolder::Create().value();
  NetworkFiles request{.shapes = {{.input = "input", .sizes = {3, 4}}}};
  for (const char* name : {"a.onnx", "b.onnx"}) {
    request.paths.push_back(folder.path() / name);
    ASSERT_TRUE(WriteFileAtomically(request.paths.back(), name).ok());
  }
  FakeGraphFiles files;
  auto questions = AskAboutFiles(request, files);
  ASSERT_TRUE(questions.ok()) << questions.error().message();
  for (const NetworkQuestion& question : *questions) {
    ASSERT_THAT(question.shapes, SizeIs(1));
    EXPECT_DOUBLE_EQ(question.traits->input_bytes, 3 * 4 * 4);
  }
  request.shapes.push_back({.input = "mask", .sizes = {1}});
  EXPECT_EQ(AskAboutFiles(request, files).error().message(),
            "no network has an input 'mask'");
}

// Of a single file, the reader's own message is better.
TEST(AskAboutFiles, OfOneFileEveryShapeIsPassedOn) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string path = folder.path() / "a.onnx";
  ASSERT_TRUE(WriteFileAtomically(path, "a").ok());
  FakeGraphFiles files;
  auto questions = AskAboutFiles(
      {.paths = {path}, .shapes = {{.input = "mask", .sizes = {1}}}}, files);
  ASSERT_FALSE(questions.ok());
  EXPECT_THAT(questions.error().message(),
              testing::StartsWith("describe " + path + ": "));
  questions = AskAboutFiles({.paths = {path}, .inputs = {"any=1"}}, files);
  ASSERT_TRUE(questions.ok()) << questions.error().message();
  EXPECT_EQ(questions->front().inputs, std::vector<std::string>{"any=1"});
  EXPECT_DOUBLE_EQ(*questions->front().counts.input_bytes, 16);
}

TEST(AskAboutFiles, FailsWhenTheReaderFails) {
  FakeGraphFiles files;
  auto questions = AskAboutFiles({.paths = {"/nowhere.onnx"}}, files);
  ASSERT_FALSE(questions.ok());
  EXPECT_EQ(questions.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
