#include "adapters/hook/hook_wire.h"

#include <gtest/gtest.h>

#include <limits>

#include "adapters/hook/hook_wire_test_datagram.h"
#include "support/random.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kArrival{5000};

Result<HookDatagram> Parse(const TestDatagram& datagram) {
  return ParseHookDatagram(Encode(datagram), kArrival);
}

// Parses a datagram with this record only.
HookDatagram One(const TestRecord& record) {
  auto datagram = Parse({.records = {record}});
  if (!datagram.ok()) ADD_FAILURE() << datagram.error().message();
  return datagram.ok() ? *datagram : HookDatagram{};
}

TEST(HookWire, ReadsTheHeader) {
  auto datagram = Parse(
      {.pid = 4711, .session = 1ull << 60, .sequence = 99, .records = {}});
  ASSERT_TRUE(datagram.ok()) << datagram.error().message();
  EXPECT_EQ(datagram->header.pid, 4711u);
  EXPECT_EQ(datagram->header.session, 1ull << 60);
  EXPECT_EQ(datagram->header.sequence, 99u);
  EXPECT_EQ(datagram->header.records, 0u);
  EXPECT_TRUE(datagram->events.empty());
}

TEST(HookWire, ReadsEveryKindOfRecordInOrder) {
  auto datagram =
      Parse({.records = {{.kind = 1, .name = "t", .value = 0.25, .at = 7},
                         {.kind = 2, .name = "r", .value = 12, .at = 8},
                         {.kind = 3, .name = "", .value = -3.5, .at = 9},
                         {.kind = 4, .name = "r", .value = 40}}});
  ASSERT_TRUE(datagram.ok()) << datagram.error().message();
  EXPECT_EQ(datagram->header.records, 4u);
  ASSERT_EQ(datagram->events.size(), 3u);
  EXPECT_EQ(datagram->events[0].name, "t");
  EXPECT_EQ(datagram->events[0].kind, AppMetricKind::kTimer);
  EXPECT_EQ(datagram->events[0].value, 0.25);
  EXPECT_EQ(datagram->events[0].at, nanoseconds(7));
  EXPECT_EQ(datagram->events[1].kind, AppMetricKind::kRate);
  EXPECT_EQ(datagram->events[1].value, 12);
  EXPECT_EQ(datagram->events[2].kind, AppMetricKind::kNumber);
  EXPECT_EQ(datagram->events[2].value, -3.5);
  ASSERT_EQ(datagram->losses.size(), 1u);
  EXPECT_EQ(datagram->losses[0].name, "r");
  EXPECT_EQ(datagram->losses[0].events, 40u);
}

TEST(HookWire, AnEventInTheFutureGetsTheCurrentTime) {
  EXPECT_EQ(One({.at = 4999}).events.at(0).at, nanoseconds(4999));
  EXPECT_EQ(One({.at = 5001}).events.at(0).at, kArrival);
  EXPECT_EQ(One({.at = ~0ull}).events.at(0).at, kArrival);
}

TEST(HookWire, AnInvalidValueIsALossOfItsName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const TestRecord& record :
       std::vector<TestRecord>{{.kind = 1, .value = -1},
                               {.kind = 1, .value = nan},
                               {.kind = 2, .value = 0},
                               {.kind = 2, .value = nan},
                               {.kind = 2, .value = 1e300},
                               {.kind = 3, .value = infinity}}) {
    HookDatagram datagram = One(record);
    EXPECT_TRUE(datagram.events.empty()) << record.kind << " " << record.value;
    ASSERT_EQ(datagram.losses.size(), 1u) << record.kind << " " << record.value;
    EXPECT_EQ(datagram.losses[0].name, "level");
    EXPECT_EQ(datagram.losses[0].events, 1u);
  }
  EXPECT_TRUE(One({.kind = 4, .value = nan}).losses.empty());
}

TEST(HookWire, SkipsWhatALaterVersionAdds) {
  auto datagram = Parse({.records = {{.kind = 9, .name = "new"},
                                     {.later_fields = "123456"},
                                     {.name = "last"}}});
  ASSERT_TRUE(datagram.ok()) << datagram.error().message();
  ASSERT_EQ(datagram->events.size(), 2u);
  EXPECT_EQ(datagram->events[0].name, "level");
  EXPECT_EQ(datagram->events[1].name, "last");
}

TEST(HookWire, RejectsAnotherVersion) {
  auto datagram = Parse({.version = 2});
  ASSERT_FALSE(datagram.ok());
  EXPECT_EQ(datagram.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(datagram.error().message(),
            "hook datagram of version 2, expected 1");
}

TEST(HookWire, RejectsOtherDatagrams) {
  EXPECT_FALSE(ParseHookDatagram("", kArrival).ok());
  EXPECT_FALSE(ParseHookDatagram("METE", kArrival).ok());
  std::string bytes = Encode(TestDatagram{});
  bytes[0] = 'X';
  EXPECT_FALSE(ParseHookDatagram(bytes, kArrival).ok());
}

TEST(HookWire, RejectsWrongLengths) {
  const std::string good = Encode(TestDatagram{.records = {{}, {}}});
  ASSERT_TRUE(ParseHookDatagram(good, kArrival).ok());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(ParseHookDatagram(good.substr(0, size), kArrival).ok())
        << size << " of " << good.size() << " bytes";
  }
  EXPECT_FALSE(ParseHookDatagram(good + "x", kArrival).ok());
  struct Change {
    size_t offset;
    char value;
  };
  // Number of records, total length, length of the first record, its name's.
  for (Change change : std::vector<Change>{{6, 1},
                                           {6, 3},
                                           {12, 9},
                                           {32, 0},
                                           {32, 19},
                                           {32, 24},
                                           {33, 1},
                                           {35, 6}}) {
    std::string bytes = good;
    bytes[change.offset] = change.value;
    EXPECT_FALSE(ParseHookDatagram(bytes, kArrival).ok())
        << "byte " << change.offset << " as " << int{change.value};
  }
}

TEST(HookWire, SurvivesAnyBytes) {
  const std::string good = Encode(TestDatagram{.records = {{}, {}, {}}});
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (int change = 0; change < 3; ++change) {
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Next());
    }
    auto datagram = ParseHookDatagram(bytes, kArrival);
    if (!datagram.ok()) continue;
    EXPECT_LE(datagram->events.size() + datagram->losses.size(), 3u);
  }
}

TEST(HookWire, TheSmallestAndTheLargestCountAreValid) {
  EXPECT_EQ(One({.kind = 2, .value = 1}).events.at(0).value, 1);
  EXPECT_EQ(One({.kind = 2, .value = 0x1p53}).events.at(0).value, 0x1p53);
  EXPECT_EQ(One({.kind = 2, .value = 0x1p53 + 2}).events.size(), 0u);
  EXPECT_EQ(One({.kind = 4, .value = 1}).losses.at(0).events, 1u);
  EXPECT_EQ(One({.kind = 4, .value = 0}).losses.size(), 0u);
}

TEST(HookWire, ATimerMayBeZeroAndANumberNegative) {
  EXPECT_EQ(One({.kind = 1, .value = 0}).events.size(), 1u);
  EXPECT_EQ(One({.kind = 3, .value = -1}).events.size(), 1u);
}

TEST(HookWire, IgnoresKindsItDoesNotKnow) {
  for (uint8_t kind : {uint8_t{0}, uint8_t{5}, uint8_t{255}}) {
    HookDatagram datagram = One({.kind = kind});
    EXPECT_TRUE(datagram.events.empty());
    EXPECT_TRUE(datagram.losses.empty());
  }
}

TEST(HookWire, AHeaderAloneIsComplete) {
  EXPECT_EQ(Encode(TestDatagram{}).size(), 32u);
  EXPECT_TRUE(Parse({}).ok());
}

TEST(HookWire, NamesTheRecordAndTheLengthThatAreWrong) {
  std::string bytes = Encode(TestDatagram{.records = {{}, {}}});
  bytes[32] = 19;
  EXPECT_EQ(ParseHookDatagram(bytes, kArrival).error().message(),
            "record of only 19 bytes");
  bytes[33] = 1;
  EXPECT_EQ(ParseHookDatagram(bytes, kArrival).error().message(),
            "record 0 exceeds its datagram");
  bytes[12] = 9;
  EXPECT_EQ(ParseHookDatagram(bytes, kArrival).error().message(),
            "hook datagram of " + std::to_string(bytes.size()) +
                " bytes claims to have 9");
}

TEST(HookWire, NamesALastRecordThatIsTooShort) {
  std::string bytes = Encode(TestDatagram{.records = {{}}});
  auto with_record = [&](const std::string& record) {
    std::string cut = bytes.substr(0, 32) + record;
    cut[12] = static_cast<char>(cut.size());
    cut[13] = cut[14] = cut[15] = 0;
    return ParseHookDatagram(cut, kArrival).error().message();
  };
  EXPECT_EQ(with_record(std::string("\x02\x00", 2)), "record of only 2 bytes");
  EXPECT_EQ(with_record(std::string("\x01", 1)),
            "record 0 exceeds its datagram");
  EXPECT_EQ(with_record(std::string("\x00\x00", 2)),
            "record 0 exceeds its datagram");
  EXPECT_EQ(with_record(std::string("\x03\x00", 2)),
            "record 0 exceeds its datagram");
}

TEST(HookWire, CountsAreBetweenOneAndTwoToThe53) {
  auto accepted = [](double value) {
    return One({.kind = 2, .value = value}).events.size() == 1;
  };
  EXPECT_TRUE(accepted(1));
  EXPECT_TRUE(accepted(0x1p53));
  EXPECT_FALSE(accepted(0.999));
  EXPECT_FALSE(accepted(0x1p53 + 2));
  EXPECT_TRUE(One({.kind = 4, .value = 0.5}).losses.empty());
  EXPECT_EQ(One({.kind = 4, .value = 1}).losses.size(), 1u);
  EXPECT_EQ(One({.kind = 1, .value = 0}).events.size(), 1u);
  EXPECT_EQ(One({.kind = 1, .value = -1}).losses.size(), 1u);
  EXPECT_TRUE(One({.kind = 0, .value = 1}).events.empty());
  EXPECT_TRUE(One({.kind = 5, .value = 1}).events.empty());
  EXPECT_TRUE(One({.kind = 5, .value = 1}).losses.empty());
}

}  // namespace
}  // namespace mete
