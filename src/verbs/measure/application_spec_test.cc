#include "measure/application_spec.h"

#include <gtest/gtest.h>

#include "measure/application_bounds.h"

namespace mete {
namespace {

TEST(ApplicationSpec, DisplayNameIsNameImageOrProgram) {
  EXPECT_EQ(
      DisplayName(ApplicationSpec{.name = "detector", .command = {"./app"}}),
      "detector");
  EXPECT_EQ(
      DisplayName(ApplicationSpec{.command = {"/usr/bin/python3", "app.py"}}),
      "python3");
  EXPECT_EQ(DisplayName(ApplicationSpec{
                .container = ContainerSettings{.image = "my/app:1"}}),
            "my/app:1");
}

TEST(AddProbe, NamesTheKnownProbes) {
  ProbeChoice probes;
  EXPECT_EQ(AddProbe("perv", probes).error().message(),
            "unknown probe 'perv'; did you mean 'perf'?");
  EXPECT_EQ(AddProbe("foo", probes).error().message(),
            "unknown probe 'foo'; expected machine, hooks, perf, gpu or "
            "tegrastats");
}

TEST(ParseHertz, AcceptsRatesFrom1To1000) {
  EXPECT_EQ(*ParseHertz("10Hz"), 10);
  EXPECT_EQ(*ParseHertz("2.5"), 2.5);
  EXPECT_FALSE(ParseHertz("0.5Hz").ok());
  EXPECT_FALSE(ParseHertz("1001Hz").ok());
  EXPECT_FALSE(ParseHertz("Hz").ok());
}

TEST(ApplicationSpec, DisplayNameOfANetworkIsThatOfItsFile) {
  EXPECT_EQ(DisplayName(ApplicationSpec{
                .network = NetworkOptions{.network = "/nets/lenet5.onnx"}}),
            "lenet5");
  EXPECT_EQ(DisplayName(ApplicationSpec{}), "");
}

TEST(ParsePullPolicy, KnowsThreeWords) {
  EXPECT_EQ(ParsePullPolicy("missing").value(), PullPolicy::kMissing);
  EXPECT_EQ(ParsePullPolicy("always").value(), PullPolicy::kAlways);
  EXPECT_EQ(ParsePullPolicy("never").value(), PullPolicy::kNever);
  EXPECT_EQ(ParsePullPolicy("nevr").error().message(),
            "'nevr' is not missing, always or never; did you mean 'never'?");
  EXPECT_EQ(ToString(PullPolicy::kAlways), "always");
}

TEST(AddProbe, SetsWhatIsRequested) {
  ProbeChoice probes{.machine = false, .hooks = false};
  ASSERT_TRUE(AddProbe("machine", probes).ok());
  EXPECT_TRUE(probes.machine);
  EXPECT_FALSE(probes.hooks);
  ASSERT_TRUE(AddProbe("hooks", probes).ok());
  EXPECT_TRUE(probes.hooks);
  EXPECT_TRUE(probes.required.empty());
  ASSERT_TRUE(AddProbe("perf", probes).ok());
  EXPECT_EQ(probes.required, std::vector<std::string>{"perf"});
}

TEST(ParseVariable, SplitsAtTheFirstEqualsSign) {
  EXPECT_EQ(ParseVariable("A=b=c").value(),
            (std::pair<std::string, std::string>("A", "b=c")));
  EXPECT_EQ(ParseVariable("A=").value().second, "");
  EXPECT_FALSE(ParseVariable("=b").ok());
  EXPECT_FALSE(ParseVariable("A").ok());
  EXPECT_FALSE(ParseVariable("").ok());
}

TEST(ParseLauncher, KnowsOneName) {
  EXPECT_EQ(ParseLauncher("kubernetes").value(), "kubernetes");
  EXPECT_FALSE(ParseLauncher("docker").ok());
}

TEST(ParsePullPolicy, IsNotEmpty) { EXPECT_FALSE(ParsePullPolicy("").ok()); }

}  // namespace
}  // namespace mete
