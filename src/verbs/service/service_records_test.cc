#include "service/service_records.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::nanoseconds;

ServiceRecord ArrivedAt(int64_t moment) {
  return {.arrival = nanoseconds(moment)};
}

std::vector<int64_t> Arrivals(const ServiceHistory& history) {
  std::vector<int64_t> arrivals;
  for (const ServiceRecord& record : history.records)
    arrivals.push_back(record.arrival.count());
  return arrivals;
}

TEST(ServiceRecords, KeepTheLatestInOrder) {
  ServiceRecords records(3);
  for (int64_t moment = 1; moment <= 5; ++moment)
    records.Add(ArrivedAt(moment));
  ServiceHistory history = records.Read();
  EXPECT_EQ(Arrivals(history), (std::vector<int64_t>{3, 4, 5}));
  EXPECT_EQ(history.dropped, 2u);
}

TEST(ServiceRecords, FlushForgetsAllAndCountsThem) {
  ServiceRecords records(3);
  for (int64_t moment = 1; moment <= 5; ++moment)
    records.Add(ArrivedAt(moment));
  EXPECT_EQ(records.Flush(), 3u);
  EXPECT_EQ(records.Read().dropped, 0u);
  records.Add(ArrivedAt(9));
  EXPECT_EQ(Arrivals(records.Read()), std::vector<int64_t>{9});
}

TEST(ServiceRecords, TheTimesOfARequestAddUpToItsStay) {
  const ServiceRecord record{.arrival = nanoseconds(10),
                             .start = nanoseconds(14),
                             .departure = nanoseconds(20)};
  EXPECT_EQ(record.QueueingTime().count(), 4);
  EXPECT_EQ(record.ServiceTime().count(), 6);
}

}  // namespace
}  // namespace mete
