#include "wiring/system_services.h"

namespace mete {
namespace {

class SystemServices final : public Services {
 public:
  explicit SystemServices(System& system) : system_(system) {}

  Clock& TheClock() override { return system_.TheClock(); }
  Host& ThisHost() override { return system_.ThisHost(); }
  SystemProbes& Probes() override { return system_.Probes(); }
  GraphReader& Reader() override { return system_.Reader(); }
  GraphWriter& Writer() override { return system_.Writer(); }
  ImageReader& Images() override { return system_.Images(); }
  PlotRenderer& Plots() override { return system_.Plots(); }
  Result<Engine*> TheEngine() override { return system_.TheEngine(); }
  Result<RunStore*> Store() override { return system_.Store(); }
  Result<NodeSource*> Nodes() override { return system_.Nodes(); }
  Result<PredictorSet> Predictors() override { return system_.Predictors(); }
  Result<std::shared_ptr<const TreePredictor>> TrainedPredictor() override {
    return system_.TrainedPredictor();
  }
  std::filesystem::path PredictorsFolder() override {
    return system_.PredictorsFolder();
  }
  Result<JobStore*> Jobs() override { return system_.Jobs(); }
  Result<SweepStore*> Sweeps() override { return system_.Sweeps(); }
  Result<Launcher*> Processes() override { return system_.Processes(); }
  WorkbenchMaker& Benches() override { return system_.Benches(); }
  Result<ContainerEngine*> Containers() override {
    return system_.Containers();
  }
  std::unique_ptr<MachineProbe> NewMachineProbe() override {
    return system_.NewMachineProbe();
  }
  Result<std::unique_ptr<AppListener>> Listen(const ListenRequest& request,
                                              AppEventSink& sink) override {
    return system_.Listen(request, sink);
  }
  Result<std::unique_ptr<SeriesSource>> AgentSeriesAt(
      const std::string& url) override {
    return system_.AgentSeriesAt(url);
  }
  Result<std::unique_ptr<SeriesSource>> PrometheusSeriesAt(
      const std::string& url) override {
    return system_.PrometheusSeriesAt(url);
  }
  std::unique_ptr<Actuator> NewActuator() override {
    return system_.NewActuator();
  }
  std::unique_ptr<Notifier> NewNotifier() override {
    return system_.NewNotifier();
  }
  std::filesystem::path RunsFolder() override { return system_.RunsFolder(); }

 private:
  System& system_;
};

}  // namespace

std::unique_ptr<Services> MakeServices(System& system) {
  return std::make_unique<SystemServices>(system);
}

}  // namespace mete
