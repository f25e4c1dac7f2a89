// The tests that every Engine must pass, including the fake. A test file
// includes this and instantiates the suite with a function that makes one:
//   INSTANTIATE_TEST_SUITE_P(Fake, EngineContract, testing::Values(&MakeFake));
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "ports/engine.h"

namespace mete {

// An engine and the path of a network it can load; the network has at least
// one input and one node.
struct EngineSubject {
  std::unique_ptr<Engine> engine;
  std::filesystem::path network;
  std::shared_ptr<void> owner;  // keeps the network's file alive
};

class EngineContract : public testing::TestWithParam<EngineSubject (*)()> {
 protected:
  std::unique_ptr<EngineSession> Load(LoadRequest request = {}) {
    request.path = subject_.network;
    auto session = subject_.engine->Load(request);
    EXPECT_TRUE(session.ok()) << session.error().message();
    return *std::move(session);
  }

  // Returns zeros in the required shape. Unknown sizes become 1.
  static std::vector<TensorValue> Zeros(const EngineSession& session) {
    std::vector<TensorValue> values;
    for (const GraphValue& input : session.inputs()) {
      TensorValue value{.name = input.name, .type = input.type.type};
      for (const Dimension& axis : input.type.shape.value_or(Shape{})) {
        value.sizes.push_back(axis.size.value_or(1));
      }
      value.bytes.resize(*ByteCount(value.type, KnownShape(value.sizes)));
      values.push_back(std::move(value));
    }
    return values;
  }

  template <typename Answer>
  static ErrorCode GetErrorCode(const Answer& answer) {
    EXPECT_FALSE(answer.ok());
    return answer.ok() ? ErrorCode::kInterrupted : answer.error().code();
  }

  EngineSubject subject_ = GetParam()();
};

TEST_P(EngineContract, HasANameAndAVersion) {
  EngineVersion version = subject_.engine->version();
  EXPECT_FALSE(version.name.empty());
  EXPECT_FALSE(version.version.empty());
}

TEST_P(EngineContract, AMissingFileIsNotFound) {
  auto session = subject_.engine->Load({.path = "/nowhere/net.onnx"});
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code(), ErrorCode::kNotFound);
}

TEST_P(EngineContract, ReportsNameTypeAndShapeOfItsInputs) {
  auto session = Load();
  ASSERT_FALSE(session->inputs().empty());
  for (const GraphValue& input : session->inputs()) {
    EXPECT_FALSE(input.name.empty());
    EXPECT_NE(input.type.type, ElementType::kUndefined);
    EXPECT_TRUE(input.type.shape.has_value());
  }
}

TEST_P(EngineContract, RunsRepeatedlyOnInputsSetOnce) {
  auto session = Load();
  ASSERT_TRUE(session->SetInputs(Zeros(*session)).ok());
  EXPECT_TRUE(session->Run().ok());
  EXPECT_TRUE(session->Run().ok());
}

TEST_P(EngineContract, RunFailsBeforeInputsAreSet) {
  EXPECT_EQ(GetErrorCode(Load()->Run()), ErrorCode::kInvalidInput);
}

TEST_P(EngineContract, OutputsMatchTheirShape) {
  auto session = Load();
  ASSERT_TRUE(session->SetInputs(Zeros(*session)).ok());
  ASSERT_TRUE(session->Run().ok());
  auto outputs = session->Outputs();
  ASSERT_TRUE(outputs.ok()) << outputs.error().message();
  ASSERT_FALSE(outputs->empty());
  for (const TensorValue& output : *outputs) {
    EXPECT_FALSE(output.name.empty());
    EXPECT_EQ(output.bytes.size(),
              ByteCount(output.type, KnownShape(output.sizes)));
  }
}

TEST_P(EngineContract, HasNoOutputsBeforeARunOrAfterTheirRelease) {
  auto session = Load();
  session->ReleaseOutputs();
  EXPECT_EQ(GetErrorCode(session->Outputs()), ErrorCode::kInvalidInput);
  ASSERT_TRUE(session->SetInputs(Zeros(*session)).ok());
  ASSERT_TRUE(session->Run().ok());
  session->ReleaseOutputs();
  EXPECT_EQ(GetErrorCode(session->Outputs()), ErrorCode::kInvalidInput);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_TRUE(session->Outputs().ok());
}

TEST_P(EngineContract, RejectsAnUnknownInput) {
  auto session = Load();
  auto values = Zeros(*session);
  values[0].name += "_other";
  EXPECT_EQ(GetErrorCode(session->SetInputs(values)), ErrorCode::kInvalidInput);
}

TEST_P(EngineContract, RejectsAMissingInput) {
  auto session = Load();
  auto values = Zeros(*session);
  values.pop_back();
  EXPECT_EQ(GetErrorCode(session->SetInputs(values)), ErrorCode::kInvalidInput);
}

TEST_P(EngineContract, RejectsTheWrongElementType) {
  auto session = Load();
  auto values = Zeros(*session);
  values[0].type = ElementType::kComplex64;
  values[0].bytes.resize(
      *ByteCount(ElementType::kComplex64, KnownShape(values[0].sizes)));
  EXPECT_EQ(GetErrorCode(session->SetInputs(values)), ErrorCode::kInvalidInput);
}

TEST_P(EngineContract, RejectsContentThatDoesNotMatchTheShape) {
  auto session = Load();
  auto values = Zeros(*session);
  values[0].bytes.pop_back();
  EXPECT_EQ(GetErrorCode(session->SetInputs(values)), ErrorCode::kInvalidInput);
}

TEST_P(EngineContract, HasNoNodeTimesWithoutProfiling) {
  auto times = Load()->NodeTimes();
  ASSERT_FALSE(times.ok());
  EXPECT_EQ(times.error().code(), ErrorCode::kUnsupported);
}

TEST_P(EngineContract, MeasuresTheNodesOfEveryRunNumberedFromZero) {
  auto session = Load({.profile = true});
  ASSERT_TRUE(session->SetInputs(Zeros(*session)).ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(session->Run().ok());
  auto times = session->NodeTimes();
  ASSERT_TRUE(times.ok()) << times.error().message();
  ASSERT_FALSE(times->empty());
  for (size_t iteration : {0, 1, 2}) {
    EXPECT_GT(std::ranges::count(*times, iteration, &NodeTime::iteration), 0);
  }
  for (const NodeTime& time : *times) {
    EXPECT_LT(time.iteration, 3u);
    EXPECT_FALSE(time.op.empty());
    EXPECT_GE(time.seconds, 0);
  }
}

}  // namespace mete
