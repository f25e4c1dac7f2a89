// Services for a test that must need none.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/services.h"
#include "support/check.h"

namespace mete {

// To ask for a part of it is a bug.
class NoServices final : public Services {
 public:
  Clock& TheClock() override { return Refuse<Clock&>(); }
  Host& ThisHost() override { return Refuse<Host&>(); }
  SystemProbes& Probes() override { return Refuse<SystemProbes&>(); }
  GraphReader& Reader() override { return Refuse<GraphReader&>(); }
  GraphWriter& Writer() override { return Refuse<GraphWriter&>(); }
  ImageReader& Images() override { return Refuse<ImageReader&>(); }
  PlotRenderer& Plots() override { return Refuse<PlotRenderer&>(); }
  Result<Engine*> TheEngine() override { return Refuse<Result<Engine*>>(); }
  Result<RunStore*> Store() override { return Refuse<Result<RunStore*>>(); }
  Result<NodeSource*> Nodes() override { return Refuse<Result<NodeSource*>>(); }
  Result<std::shared_ptr<const TreePredictor>> TrainedPredictor() override {
    return Refuse<Result<std::shared_ptr<const TreePredictor>>>();
  }
  std::filesystem::path PredictorsFolder() override {
    return Refuse<std::filesystem::path>();
  }
  Result<PredictorSet> Predictors() override {
    return Refuse<Result<PredictorSet>>();
  }
  Result<JobStore*> Jobs() override { return Refuse<Result<JobStore*>>(); }
  Result<SweepStore*> Sweeps() override {
    return Refuse<Result<SweepStore*>>();
  }
  Launchers& TheLaunchers() override { return Refuse<Launchers&>(); }
  WorkbenchMaker& Benches() override { return Refuse<WorkbenchMaker&>(); }
  std::unique_ptr<MachineProbe> NewMachineProbe() override {
    return Refuse<std::unique_ptr<MachineProbe>>();
  }
  Result<std::unique_ptr<AppListener>> Listen(const ListenRequest&,
                                              AppEventSink&) override {
    return Refuse<Result<std::unique_ptr<AppListener>>>();
  }
  Result<std::unique_ptr<SeriesSource>> AgentSeriesAt(
      const std::string&) override {
    return Refuse<Result<std::unique_ptr<SeriesSource>>>();
  }
  Result<std::unique_ptr<SeriesSource>> PrometheusSeriesAt(
      const std::string&) override {
    return Refuse<Result<std::unique_ptr<SeriesSource>>>();
  }
  std::unique_ptr<Actuator> NewActuator() override {
    return Refuse<std::unique_ptr<Actuator>>();
  }
  std::unique_ptr<Notifier> NewNotifier() override {
    return Refuse<std::unique_ptr<Notifier>>();
  }
  TorchPlaces Torch() override { return Refuse<TorchPlaces>(); }
  std::filesystem::path RunsFolder() override {
    return Refuse<std::filesystem::path>();
  }

 private:
  template <typename Part>
  [[noreturn]] static Part Refuse() {
    CHECK(false) << "a part of the outside was asked for";
    std::abort();
  }
};

}  // namespace mete
