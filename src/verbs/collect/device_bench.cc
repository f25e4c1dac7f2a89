#include "collect/device_bench.h"

#include <algorithm>

#include "collect/bench_network.h"

namespace mete {
namespace {

// For the load's threads to be at work, and a few quota periods to pass.
constexpr std::chrono::milliseconds kSettle{200};

}  // namespace

Result<std::unique_ptr<DeviceBench>> DeviceBench::Open(
    const Device& device, WorkbenchMaker& benches) {
  BenchRequest request;
  if (device.emulation) {
    request.limits = device.emulation->limits;
    request.period = device.emulation->period;
  }
  ASSIGN_OR_RETURN(auto bench,
                   benches.Open(request).While("device " + device.name));
  ASSIGN_OR_RETURN(auto load,
                   bench
                       ->Start(BenchRole::kLoad,
                               BenchLoadWords(std::max(1, device.facts.cores)))
                       .While("device " + device.name));
  return std::unique_ptr<DeviceBench>(
      new DeviceBench(device, std::move(bench), std::move(load)));
}

Status DeviceBench::SetLoad(double share, std::stop_token stop) {
  RETURN_IF_ERROR(bench_->KeepForLoad(share));
  return OrderLoad(*load_, share * CpusOf(device_), std::move(stop));
}

double DeviceBench::LoadBetween(const BenchUsage& before,
                                const BenchUsage& after) const {
  double wall = Seconds(after.at - before.at).count();
  if (wall <= 0) return 0;
  double busy = (after.others - before.others).count();
  return std::clamp(busy / (wall * CpusOf(device_)), 0.0, 1.0);
}

Result<double> DeviceBench::MeasureDelivery(Seconds time, Clock& clock,
                                            std::stop_token stop) {
  auto interrupted = Error(ErrorCode::kInterrupted, "stopped");
  // Twice what there is: every thread of the load always has work.
  RETURN_IF_ERROR(OrderLoad(*load_, 2.0 * device_.facts.cores, stop));
  if (!clock.SleepFor(kSettle, stop)) return interrupted;
  BenchUsage before = bench_->Usage();
  auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(time);
  if (!clock.SleepFor(wait, stop)) return interrupted;
  BenchUsage after = bench_->Usage();
  RETURN_IF_ERROR(OrderLoad(*load_, 0, stop));
  double wall = Seconds(after.at - before.at).count();
  if (wall <= 0) return Unavailable("the clock stands still");
  return (after.others - before.others).count() / (wall * CpusOf(device_));
}

}  // namespace mete
