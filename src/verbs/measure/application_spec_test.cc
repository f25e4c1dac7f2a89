#include "measure/application_spec.h"

#include "measure/application_bounds.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace mete
