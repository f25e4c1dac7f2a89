#include "measure/network_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "measure/network_options_json.h"
#include "measure/network_yaml.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NetworkOptions FullOptions() {
  return {.network = "/nets/a.onnx",
          .duration = Seconds(1.5),
          .max_duration = Seconds(30),
          .warmup = 3,
          .batch = 4,
          .shapes = {"x=4x3x8x8"},
          .inputs = {"sr=16000"},
          .seed = 7,
          .layers = true,
          .engine = {.provider = "CUDA",
                     .optimization = "basic",
                     .inter_op_threads = 2,
                     .spinning = false,
                     .memory_arena = true}};
}

std::string OptionsComplaint(const NetworkOptions& options) {
  Status checked = CheckNetworkOptions(options);
  return checked.ok() ? "" : checked.error().message();
}

TEST(NetworkOptions, BecomeTheArgumentsOfMeteMeasure) {
  EXPECT_THAT(OptionArguments(FullOptions()),
              ElementsAre("/nets/a.onnx", "--duration", "1.5s",
                          "--max-duration", "30s", "--warmup", "3", "--batch",
                          "4", "--shape", "x=4x3x8x8", "--input", "sr=16000",
                          "--seed", "7", "--layers", "--provider", "CUDA",
                          "--optimization", "basic", "--inter-op-threads", "2",
                          "--spinning", "off", "--arena", "on"));
}

TEST(NetworkOptions, ArgumentsRepeatTheRunWhateverTheSettingsAreThen) {
  EXPECT_THAT(NetworkArguments({.network = "/a.onnx"},
                               {.until = 0.07, .max_duration = Seconds(9)}),
              ElementsAre("/a.onnx", "--until", "7%", "--max-duration", "9s"));
  EXPECT_THAT(NetworkArguments({.network = "/a.onnx", .iterations = 5}, {}),
              ElementsAre("/a.onnx", "--iterations", "5"));
}

// The numbers of a session in a folder with files that have such names.
TEST(NetworkOptions, ANumberIsNotAFileEvenIfThereIsOne) {
  ScratchFolder scratch = *ScratchFolder::Create();
  ASSERT_TRUE(WriteFileAtomically(scratch.path() / "16000", "x").ok());
  NetworkOptions options{.network = "a.onnx", .inputs = {"sr=16000"}};
  AnchorNetwork(scratch.path(), options);
  EXPECT_THAT(options.inputs, ElementsAre("sr=16000"));
}

TEST(NetworkOptions, SurviveJson) {
  auto read = ReadJson("network", [] {
    return NetworkOptionsFromJson(NetworkOptionsToJson(FullOptions()));
  });
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(*read, FullOptions());
}

TEST(NetworkOptions, JsonWithAnUnknownKeyIsRefusedWithTheNearest) {
  Json json = {{"path", "/a.onnx"}, {"iteration", 3}};
  auto read = ReadJson("network", [&] { return NetworkOptionsFromJson(json); });
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message(), HasSubstr("network.iterations"));
}

TEST(NetworkOptions, RequestHasTheDefaultsWhereTheOptionsAreSilent) {
  auto request = MakeMeasureRequest({.network = "/nets/a.onnx"},
                                    {.until = 0.1, .max_duration = Seconds(5)});
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->name, "a");
  EXPECT_EQ(std::get<UntilPrecise>(request->ending).target, 0.1);
  EXPECT_EQ(request->max_duration, Seconds(5));
}

TEST(NetworkOptions, TheDefaultTimeLimitDoesNotCutAFixedCount) {
  auto request =
      MakeMeasureRequest({.network = "/nets/a.onnx", .iterations = 9}, {});
  ASSERT_TRUE(request.ok());
  EXPECT_FALSE(request->max_duration);
}

TEST(CheckNetworkOptions, NamesTheOptionThatIsWrong) {
  EXPECT_EQ(OptionsComplaint(FullOptions()), "");
  EXPECT_THAT(OptionsComplaint({.iterations = 0}), HasSubstr("iterations"));
  EXPECT_THAT(OptionsComplaint({.duration = Seconds(-1)}),
              HasSubstr("duration"));
  EXPECT_THAT(OptionsComplaint({.until = 1.5}), HasSubstr("until"));
  EXPECT_THAT(OptionsComplaint({.batch = 0}), HasSubstr("batch"));
  EXPECT_THAT(OptionsComplaint({.shapes = {"x=axb"}}), HasSubstr("shape"));
  EXPECT_THAT(OptionsComplaint({.engine = {.optimization = "max"}}),
              HasSubstr("optimization"));
  EXPECT_THAT(OptionsComplaint({.engine = {.inter_op_threads = 0}}),
              HasSubstr("inter_op_threads"));
}

TEST(CheckNetworkOptions, RefusesWhatContradictsItself) {
  EXPECT_THAT(OptionsComplaint({.iterations = 3, .until = 0.1}),
              HasSubstr("only one of"));
  EXPECT_THAT(OptionsComplaint({.inputs = {"x=ones"}, .image_path = "p"}),
              HasSubstr("not both"));
}

TEST(CheckNetworkFile, RefusesWhatIsNotARegularFile) {
  ScratchFolder scratch = ScratchFolder::Create().value();
  auto pipe = scratch.path() / "pipe.onnx";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(CheckNetworkFile(pipe).error().message(),
              HasSubstr("is not a regular file"));
  EXPECT_THAT(CheckNetworkFile("/dev/zero").error().message(),
              HasSubstr("is not a regular file"));
  EXPECT_THAT(CheckNetworkFile(scratch.path()).error().message(),
              HasSubstr("is a folder"));
  EXPECT_EQ(CheckNetworkFile(scratch.path() / "no.onnx").error().code(),
            ErrorCode::kNotFound);
}

TEST(NetworkOptionsFromJson, CountsAreWholeNumbers) {
  for (const char* key : {"iterations", "warmup", "seed", "batch"}) {
    for (const Json& value : {Json(1.5), Json(-1), Json("1")}) {
      const Json json = {{"path", "net.onnx"}, {key, value}};
      EXPECT_FALSE(NetworkOptionsFromJson(json).ok()) << json.dump();
    }
    EXPECT_TRUE(NetworkOptionsFromJson({{"path", "net.onnx"}, {key, 1}}).ok());
  }
}

}  // namespace
}  // namespace mete
