#include "contend/measure_alone.h"

#include "stats/quantile.h"

namespace mete {
namespace {

constexpr Seconds kShortest{2};
constexpr Seconds kLongest{30};
constexpr int kFewestRequests = 10;

Status SendInTurn(RunningService& service, Clock& clock, std::stop_token stop) {
  const auto start = clock.Now();
  for (int sent = 0;; ++sent) {
    Seconds elapsed = clock.Now() - start;
    bool enough = sent >= kFewestRequests && elapsed >= kShortest;
    if (enough || (sent > 0 && elapsed >= kLongest)) return {};
    if (stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "stopped");
    }
    RETURN_IF_ERROR(service.Infer(stop));
  }
}

}  // namespace

Result<ApplicationFacts> MeasureAlone(const std::string& application,
                                      ServicePool& pool, Clock& clock,
                                      std::stop_token stop) {
  ASSIGN_OR_RETURN(auto provided,
                   pool.Provide({{.application = application}}, stop));
  RunningService& service = *provided[0][0];
  RETURN_IF_ERROR(service.Flush(stop).While(application));
  RETURN_IF_ERROR(SendInTurn(service, clock, stop).While(application));
  ASSIGN_OR_RETURN(ServiceTimes times, service.Times(stop).While(application));
  std::optional<double> median = Quantile(times.service, 0.5);
  if (!median || *median <= 0) {
    return Unavailable(application + ": the service recorded no times");
  }
  ResourceUsage usage = service.Usage();
  return ApplicationFacts{
      .service_time = Seconds(*median),
      .memory = usage.memory_peak ? usage.memory_peak : usage.memory};
}

}  // namespace mete
