// The parts of this machine and its surroundings, each made on first use from
// the settings: the one place that knows every adapter.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "config/settings.h"
#include "measure/torch_program.h"
#include "ports/app_listener.h"
#include "predict/latency_predictor.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

class Actuator;
class AppEventSink;
class Engine;
class GraphReader;
class GraphWriter;
class Host;
class ImageReader;
class JobStore;
class Launchers;
class MachineProbe;
class NodeSource;
class Notifier;
class PlotRenderer;
class RunStore;
class SeriesSource;
class SweepStore;
class SystemProbes;
class TreePredictor;
class TestbedFactory;
struct PrometheusPlace;
struct Stores;

// Owns what it hands out. One thread unless said otherwise.
class System {
 public:
  System(const Settings& settings, EnvironmentLookup environment);
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  Clock& TheClock() { return clock_; }
  Host& ThisHost();
  SystemProbes& Probes();
  GraphReader& Reader();
  GraphWriter& Writer();
  ImageReader& Images();
  // Draws plots. Whether it can shows when it does.
  PlotRenderer& Plots();
  // Fails with kUnavailable or kUnsupported and what to do when there is no
  // fitting ONNX Runtime.
  Result<Engine*> TheEngine();
  Result<RunStore*> Store();
  // Whether a Prometheus lists the nodes; else the devices of the store do.
  bool WatchedByPrometheus() const;
  // The nodes predictions are made for. Asks the outside at every call, for two
  // seconds at most; from one thread, which may be another one.
  Result<NodeSource*> Nodes();
  // Reads the predictors again. Fails with kUnavailable and what to do when
  // there are none. From any thread.
  Result<PredictorSet> Predictors();
  // The full predictor of seconds, without calibrations.
  Result<std::shared_ptr<const TreePredictor>> TrainedPredictor();
  // Where predictors are kept, and looked for.
  std::filesystem::path PredictorsFolder();
  // The queue, in the same place as the runs.
  Result<JobStore*> Jobs();
  // Sweeps, in the same place too.
  Result<SweepStore*> Sweeps();
  // Runs applications, by the kind of workload. Fails with kUnavailable and
  // what to do when no container engine answers.
  Launchers& TheLaunchers();
  // Where mete-torch is looked for.
  TorchPlaces Torch() const;
  // Makes devices to measure on.
  TestbedFactory& Testbeds();
  // Looks at this machine, for one run. From any thread.
  std::unique_ptr<MachineProbe> NewMachineProbe();
  // Listens to what an application reports through its hooks, on a socket in
  // the folder; `sink` must outlive the listener. From any thread.
  Result<std::unique_ptr<AppListener>> Listen(const ListenRequest& request,
                                              AppEventSink& sink);
  // Series of an agent or another exporter at this URL.
  Result<std::unique_ptr<SeriesSource>> AgentSeriesAt(const std::string& url);
  // The same of a Prometheus. It gets the credentials of the settings when it
  // is the one of the settings.
  Result<std::unique_ptr<SeriesSource>> PrometheusSeriesAt(
      const std::string& url);
  // Changes limits of what runs on this machine; for another thread.
  std::unique_ptr<Actuator> NewActuator();
  std::unique_ptr<Notifier> NewNotifier();
  // Where the files of runs are kept that do not fit a database.
  std::filesystem::path RunsFolder();
  // Tokens, uploads, predictors and files of runs are below this folder.
  const std::filesystem::path& state_folder() const { return state_folder_; }

 private:
  // A place for files to be written to. Creates the state folder for its owner
  // only, since logs of runs show what somebody works on. If that fails, so
  // does the writing, which reports it.
  std::filesystem::path InStateFolder(std::string_view name);
  // Opens nothing yet.
  Result<Stores> TheStores() const;
  Result<PrometheusPlace> PlaceOfPrometheus();
  Result<std::unique_ptr<NodeSource>> OpenPrometheus();

  const Settings settings_;
  const EnvironmentLookup environment_;
  const std::filesystem::path state_folder_;
  const std::filesystem::path onnxruntime_path_;
  const std::string nvml_path_;
  SystemClock clock_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<SystemProbes> probes_;
  std::unique_ptr<GraphReader> reader_;
  std::unique_ptr<GraphWriter> writer_;
  std::unique_ptr<ImageReader> images_;
  std::unique_ptr<PlotRenderer> plots_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Launchers> launchers_;
  std::unique_ptr<TestbedFactory> testbeds_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<RunStore> node_store_;
  std::unique_ptr<NodeSource> nodes_;
  std::unique_ptr<JobStore> jobs_;
  std::unique_ptr<SweepStore> sweeps_;
};

}  // namespace mete
