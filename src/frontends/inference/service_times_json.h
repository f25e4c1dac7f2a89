// The times of served requests in NeuRO's JSON.
#pragma once

#include <string>

#include "net/http.h"
#include "service/inference_service.h"

namespace mete {

// {uid, service_times[], arrival_times[], departure_times[],
// interarrival_times[], queueing_times[], queue_lens[], dropped}: one entry per
// request in the order of arrival, times in seconds, moments since 1970. The
// first inter-arrival time is null.
std::string ServiceTimesJson(const InferenceService& service,
                             ServiceHistory history);

// {batch_size, service_time, queueing_time, …} of one request.
std::string ServedJson(const InferenceService& service,
                       const ServedInference& served);

// Sets Server-Timing: what waiting and inference took, in milliseconds.
void AddServerTiming(const ServiceRecord& record, HttpFields& fields);

}  // namespace mete
