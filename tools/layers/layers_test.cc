#include "layers/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Library Measure() {
  return {.group = "verbs",
          .folder = "measure",
          .deps = {"support"},
          .test_deps = {"stats"},
          .files = {"loop.cc", "loop_test.cc", "test_loop.h"}};
}
Library Support() {
  return {.group = "base", .folder = "support", .files = {"result.h"}};
}
Library Stats() {
  return {.group = "math", .folder = "stats", .files = {"median.h"}};
}

std::vector<std::string> BreachesIn(SourceFile file) {
  return FindBreaches({Measure(), Stats(), Support()}, {std::move(file)});
}

TEST(ParseLayers, ReadsDepsTestDepsAndFiles) {
  auto libraries =
      ParseLayers("adapters adapters/onnx: support ports | zoo | a.cc a.h");
  ASSERT_TRUE(libraries.ok()) << libraries.error().message();
  ASSERT_EQ(libraries->size(), 1u);
  EXPECT_EQ(libraries->at(0).group, "adapters");
  EXPECT_EQ(libraries->at(0).folder, "adapters/onnx");
  EXPECT_THAT(libraries->at(0).deps, ElementsAre("support", "ports"));
  EXPECT_THAT(libraries->at(0).test_deps, ElementsAre("zoo"));
  EXPECT_THAT(libraries->at(0).files, ElementsAre("a.cc", "a.h"));
}

TEST(ParseLayers, MergesLinesOfOneFolder) {
  auto libraries = ParseLayers(
      "frontends apps: cli | | a.cc\nfrontends apps: agent | | b.cc\n");
  ASSERT_TRUE(libraries.ok()) << libraries.error().message();
  ASSERT_EQ(libraries->size(), 1u);
  EXPECT_THAT(libraries->at(0).deps, ElementsAre("cli", "agent"));
  EXPECT_THAT(libraries->at(0).files, ElementsAre("a.cc", "b.cc"));
}

TEST(ParseLayers, RejectsAnIncompleteLine) {
  for (const char* line : {"base support: |", "support: | | a.cc"}) {
    auto libraries = ParseLayers(line);
    ASSERT_FALSE(libraries.ok()) << line;
    EXPECT_EQ(libraries.error().code(), ErrorCode::kCorrupt);
  }
}

TEST(Layers, IncludesOfOwnFolderAndOfDepsAreAllowed) {
  EXPECT_THAT(BreachesIn({"verbs/measure/loop.cc",
                          "#include \"measure/loop.h\"\n"
                          "#include <onnx/onnx_pb.h>\n"
                          "#include \"support/result.h\"\n"}),
              IsEmpty());
}

TEST(Layers, ReportsAnIncludeOutsideDepsWithItsLine) {
  EXPECT_THAT(
      BreachesIn({"verbs/measure/loop.cc", "\n#include \"stats/median.h\"\n"}),
      ElementsAre(
          "src/verbs/measure/loop.cc:2: includes \"stats/median.h\", but "
          "stats is not among the DEPS of measure"));
}

TEST(Layers, TestDepsAreForTestFilesOnly) {
  EXPECT_THAT(BreachesIn({"verbs/measure/loop_test.cc",
                          "#include \"stats/median.h\"\n"}),
              IsEmpty());
}

TEST(Layers, TestCodeIsForTestFilesOnly) {
  std::string text = "#include \"tests/fakes/fake_engine.h\"\n";
  EXPECT_THAT(BreachesIn({"verbs/measure/loop_test.cc", text}), IsEmpty());
  EXPECT_THAT(BreachesIn({"verbs/measure/loop.cc", text}),
              ElementsAre(HasSubstr("in no declared folder")));
  EXPECT_THAT(BreachesIn({"verbs/measure/test_loop.h", text}), IsEmpty());
}

TEST(Layers, ReportsAFileThatNoLibraryLists) {
  EXPECT_THAT(
      BreachesIn({"verbs/measure/forgotten.cc", ""}),
      ElementsAre(HasSubstr("src/verbs/measure/forgotten.cc: listed by no")));
}

TEST(Layers, ReportsAFileInASubfolderOfALibrary) {
  EXPECT_THAT(BreachesIn({"verbs/measure/inner/loop.cc", ""}),
              ElementsAre(HasSubstr("listed by no")));
}

TEST(Layers, TheLongestFolderOwnsAFile) {
  std::vector<Library> libraries{
      {.group = "frontends", .folder = "agent", .files = {"a.cc"}},
      {.group = "frontends", .folder = "agent/inner", .files = {"b.h"}}};
  EXPECT_THAT(FindBreaches(libraries, {{"frontends/agent/a.cc",
                                        "#include \"agent/inner/b.h\"\n"}}),
              ElementsAre(HasSubstr("agent/inner is not among the DEPS")));
}

TEST(Layers, ReportsEveryStepOfACycle) {
  std::vector<Library> libraries{
      {.group = "verbs", .folder = "describe", .deps = {"measure"}},
      {.group = "verbs", .folder = "measure", .deps = {"report"}},
      {.group = "verbs", .folder = "report", .deps = {"measure"}}};
  EXPECT_THAT(FindBreaches(libraries, {}),
              ElementsAre("cycle: measure -> report -> measure"));
}

TEST(Layers, RejectsADependencyOnAHigherLayer) {
  std::vector<Library> libraries{
      {.group = "frontends", .folder = "cli"},
      {.group = "verbs", .folder = "measure", .deps = {"cli"}}};
  EXPECT_THAT(
      FindBreaches(libraries, {}),
      ElementsAre("measure: depends on cli, which is in a higher layer"));
}

TEST(Layers, BaseMustNotUseDomain) {
  std::vector<Library> libraries{
      {.group = "base", .folder = "linux", .deps = {"domain"}},
      {.group = "core", .folder = "domain"}};
  EXPECT_THAT(
      FindBreaches(libraries, {}),
      ElementsAre("linux: depends on domain, which is in a higher layer"));
}

TEST(Layers, AdaptersMustNotUseEachOther) {
  std::vector<Library> libraries{
      {.group = "adapters", .folder = "adapters/a", .deps = {"adapters/b"}},
      {.group = "adapters", .folder = "adapters/b"}};
  EXPECT_THAT(FindBreaches(libraries, {}),
              ElementsAre(HasSubstr("adapters must not use each other")));
}

TEST(Layers, VerbsAndAdaptersMustNotUseEachOther) {
  std::vector<Library> verb{
      {.group = "adapters", .folder = "adapters/a"},
      {.group = "verbs", .folder = "measure", .deps = {"adapters/a"}}};
  EXPECT_THAT(FindBreaches(verb, {}),
              ElementsAre(HasSubstr("verbs must use ports, not adapters")));
  std::vector<Library> adapter{
      {.group = "adapters", .folder = "adapters/a", .deps = {"measure"}},
      {.group = "verbs", .folder = "measure"}};
  EXPECT_THAT(FindBreaches(adapter, {}),
              ElementsAre(HasSubstr("adapters must not use verbs")));
}

TEST(Layers, ReportsAFolderWithoutALayer) {
  EXPECT_THAT(FindBreaches({{.group = "common", .folder = "utils"}}, {}),
              ElementsAre(HasSubstr("utils: its group 'common' has no layer")));
}

TEST(Layers, ReportsADependencyOnAnUndeclaredFolder) {
  EXPECT_THAT(
      FindBreaches(
          {{.group = "frontends", .folder = "cli", .deps = {"mesure"}}}, {}),
      ElementsAre("cli: depends on mesure, which is not a declared folder"));
}

}  // namespace
}  // namespace mete
