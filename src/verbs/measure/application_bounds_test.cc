#include "measure/application_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace mete {
namespace {

using testing::HasSubstr;

constexpr double kYear = 365.0 * 24 * 3600;

std::string BoundsComplaint(const ApplicationSpec& spec) {
  Status checked = CheckBounds(spec);
  return checked.ok() ? "" : checked.error().message();
}

std::string WithLimits(const Limits& limits) {
  ApplicationSpec spec;
  spec.limits = limits;
  return BoundsComplaint(spec);
}

TEST(CheckBounds, AcceptsTheDefaults) { EXPECT_EQ(BoundsComplaint({}), ""); }

TEST(CheckBounds, OfTheTimeout) {
  ApplicationSpec spec;
  for (double good : {1e-9, kYear}) {
    spec.timeout = Seconds(good);
    EXPECT_EQ(BoundsComplaint(spec), "") << good;
  }
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    spec.timeout = Seconds(bad);
    EXPECT_EQ(BoundsComplaint(spec), "the timeout must be positive") << bad;
  }
  spec.timeout = Seconds(kYear + 1);
  EXPECT_EQ(BoundsComplaint(spec), "the timeout is longer than 365 days");
}

TEST(CheckBounds, OfTheGracePeriod) {
  ApplicationSpec spec;
  for (double good : {0.0, kYear}) {
    spec.grace = Seconds(good);
    EXPECT_EQ(BoundsComplaint(spec), "") << good;
  }
  for (double bad :
       {-1e-9, kYear + 1, std::numeric_limits<double>::quiet_NaN()}) {
    spec.grace = Seconds(bad);
    EXPECT_EQ(BoundsComplaint(spec),
              "the grace period must be between 0 s and 365 days")
        << bad;
  }
}

TEST(CheckBounds, OfRepeatAndSampling) {
  ApplicationSpec spec;
  spec.repeat = 0;
  EXPECT_THAT(BoundsComplaint(spec),
              HasSubstr("repeat: 0 is not between 1 and"));
  spec.repeat = kMostRepeats + 1;
  EXPECT_THAT(BoundsComplaint(spec), HasSubstr("is not between 1 and"));
  spec.repeat = kMostRepeats;
  for (double good : {kSlowestSampling, kFastestSampling}) {
    spec.sample_hertz = good;
    EXPECT_EQ(BoundsComplaint(spec), "") << good;
  }
  for (double bad : {kSlowestSampling * 0.99, kFastestSampling * 1.01, -1.0,
                     std::numeric_limits<double>::quiet_NaN()}) {
    spec.sample_hertz = bad;
    EXPECT_THAT(BoundsComplaint(spec), HasSubstr("samples per second is not"));
  }
}

TEST(CheckBounds, OfEveryLimit) {
  const auto most = uint64_t{std::numeric_limits<int64_t>::max()};
  EXPECT_EQ(WithLimits({.memory = Bytes{most}}), "");
  EXPECT_EQ(WithLimits({.memory = Bytes{1}}), "");
  EXPECT_EQ(WithLimits({.memory = Bytes{0}}),
            "the memory limit must be positive");
  EXPECT_EQ(WithLimits({.memory = Bytes{most + 1}}),
            "the memory limit is more than any machine has");
  EXPECT_EQ(WithLimits({.cpus = Millicores{1'000'000'000}}), "");
  EXPECT_EQ(WithLimits({.cpus = Millicores{1}}), "");
  EXPECT_EQ(WithLimits({.cpus = Millicores{0}}),
            "the CPU limit must be positive");
  EXPECT_EQ(WithLimits({.cpus = Millicores{-1}}),
            "the CPU limit must be positive");
  EXPECT_EQ(WithLimits({.cpus = Millicores{1'000'000'001}}),
            "the CPU limit is more than any machine has");
  EXPECT_EQ(WithLimits({.processes = 4294967295}), "");
  EXPECT_EQ(WithLimits({.processes = 0}), "the process limit must be positive");
  EXPECT_EQ(WithLimits({.processes = 4294967296}),
            "the process limit is more than any machine has");
}

TEST(CheckBounds, OfCoresAndThreads) {
  EXPECT_EQ(WithLimits({.cpuset = "0-1"}), "");
  EXPECT_THAT(WithLimits({.cpuset = "x"}), HasSubstr("cpuset: "));
  EXPECT_EQ(WithLimits({.pin = "0"}), "");
  EXPECT_THAT(WithLimits({.pin = "x"}), HasSubstr("pin: "));
  EXPECT_EQ(WithLimits({.cpuset = "0", .pin = "0"}),
            "pin and cpuset cannot be given together");
  EXPECT_EQ(WithLimits({.threads = 1}), "");
  EXPECT_EQ(WithLimits({.threads = static_cast<int>(kMostThreads)}), "");
  EXPECT_THAT(WithLimits({.threads = 0}), HasSubstr("threads: 0 is not"));
  EXPECT_THAT(WithLimits({.threads = -3}), HasSubstr("threads: -3 is not"));
  EXPECT_THAT(WithLimits({.threads = static_cast<int>(kMostThreads) + 1}),
              HasSubstr("is not between 1 and"));
}

TEST(ParseMemoryLimit, WantsAUnitForSmallNumbers) {
  EXPECT_EQ(ParseMemoryLimit("64Mi").value(), Mebibytes(64));
  EXPECT_EQ(ParseMemoryLimit("64B").value(), Bytes{64});
  EXPECT_EQ(ParseMemoryLimit("1048576").value(), Mebibytes(1));
  EXPECT_EQ(ParseMemoryLimit("1048575").error().message(),
            "'1048575' has no unit; did you mean 1048575Mi? Write 1048575B for "
            "bytes");
  EXPECT_FALSE(ParseMemoryLimit("0Mi").ok());
}

TEST(ParseHertz, TakesARateWithOrWithoutItsUnit) {
  for (const char* text : {"10", "10Hz", "10hz", "10HZ"}) {
    EXPECT_EQ(ParseHertz(text).value(), 10) << text;
  }
  for (const char* text :
       {"", "Hz", "10x", "x10", "10 Hz", "-1", "0", "nan", "1e9"}) {
    EXPECT_THAT(ParseHertz(text).error().message(), HasSubstr("is not a rate"))
        << text;
  }
}

TEST(ParseLimits, RefuseWhatIsOutOfBounds) {
  EXPECT_EQ(ParseCpuLimit("1.5").value(), Millicores{1500});
  EXPECT_FALSE(ParseCpuLimit("0").ok());
  EXPECT_FALSE(ParseCpuLimit("1000001").ok());
  EXPECT_EQ(ParseProcesses("7").value(), 7u);
  EXPECT_FALSE(ParseProcesses("0").ok());
  EXPECT_FALSE(ParseProcesses("4294967296").ok());
  EXPECT_EQ(ParseRepeat("1").value(), 1u);
  EXPECT_FALSE(ParseRepeat("0").ok());
  EXPECT_FALSE(ParseRepeat(std::to_string(kMostRepeats + 1)).ok());
  EXPECT_EQ(ParseThreads("3").value(), 3);
  EXPECT_FALSE(ParseThreads("0").ok());
  EXPECT_FALSE(ParseThreads(std::to_string(kMostThreads + 1)).ok());
  EXPECT_EQ(ParseTimeout("2s").value(), Seconds(2));
  EXPECT_FALSE(ParseTimeout("0s").ok());
  EXPECT_EQ(ParseGrace("0s").value(), Seconds(0));
  EXPECT_FALSE(ParseGrace("9000h").ok());
  EXPECT_EQ(ParseCpuset("0,2-3").value(), "0,2-3");
  EXPECT_FALSE(ParseCpuset("3-2").ok());
}

}  // namespace
}  // namespace mete
