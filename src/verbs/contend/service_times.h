// What a service recorded of the requests it answered: the body of GET
// /service-times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// The requests of one replica since its last flush, in seconds and in order.
// All lists have the same length.
struct ServiceTimes {
  std::string uid;  // of the replica
  std::vector<double> service;
  std::vector<double> arrival;  // on a clock of the service
  std::vector<double> departure;
  std::vector<double> interarrival;
  std::vector<double> queueing;
  std::vector<double> queue_lengths;  // found by each request

  size_t size() const { return service.size(); }
};

// Fails with kCorrupt when the text is not such an object, when a time is not a
// finite number from 0, or when the lists differ in length. The first time of a
// list may be null, as the first request has no inter-arrival time; it becomes
// 0.
Result<ServiceTimes> ParseServiceTimes(std::string_view body);

}  // namespace mete
