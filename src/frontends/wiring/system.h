// Makes the adapters from the settings, each on first use. Only this folder
// includes every adapter.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.h"
#include "measure/network_process.h"
#include "measure/torch_program.h"
#include "ports/app_listener.h"
#include "predict/latency_predictor.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

class Actuator;
class AppEventSink;
class Cluster;
class ClusterServices;
class Engine;
class GraphReader;
class GraphWriter;
class Host;
class ImageReader;
class JobStore;
class Launchers;
class MachineProbe;
class MetricHistory;
class NodeSource;
class Notifier;
class PageCache;
class PlotRenderer;
class ProfileStore;
class RunStore;
class SeriesSource;
class SweepStore;
class SystemProbes;
class TreePredictor;
class TestbedFactory;
class TestbedProcess;
struct AttachedService;
struct AttachTarget;
struct PrometheusPlace;
struct Stores;

// Makes and owns the adapters. Not thread-safe unless stated otherwise.
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
  // Draws plots. Drawing fails if gnuplot is missing.
  PlotRenderer& Plots();
  // Fails with kUnavailable or kUnsupported and a remedy if there is no
  // suitable ONNX Runtime.
  Result<Engine*> TheEngine();
  Result<RunStore*> Store();
  // See AttachFunction. Names of containers that cannot be read from files are
  // looked up by the container engine.
  Result<AttachedService> Attach(const AttachTarget& target) const;
  // The same runs over a connection of their own, for the threads of a server.
  Result<RunStore*> ServedRuns();
  // Another connection, owned by the caller. Thread-safe.
  Result<std::unique_ptr<RunStore>> NewRunStore() const;
  // Returns whether Prometheus lists the nodes. Otherwise the nodes are the
  // devices of the store.
  bool WatchedByPrometheus() const;
  // The nodes to predict for. Every call queries Prometheus or the store and
  // takes at most two seconds. Use it from one thread, which may be another
  // one.
  Result<NodeSource*> Nodes();
  // Reads the predictors from disk. Fails with kUnavailable and a remedy if
  // there are none. Thread-safe.
  Result<PredictorSet> Predictors();
  // The full latency predictor without calibrations.
  Result<std::shared_ptr<const TreePredictor>> TrainedPredictor();
  // The folder of the predictors.
  std::filesystem::path PredictorsFolder();
  // The job queue, in the same store as the runs.
  Result<JobStore*> Jobs();
  // The sweeps, in the same store as the runs.
  Result<SweepStore*> Sweeps();
  // The profiles of mete watch, in the same store; owned by the caller.
  Result<std::unique_ptr<ProfileStore>> NewProfileStore();
  // Runs applications, by kind of workload. Fails with kUnavailable and a
  // remedy if no container engine answers.
  Launchers& TheLaunchers();
  PageCache& ThePageCache();
  // The places to look for mete-torch.
  TorchPlaces Torch() const;
  // Measures networks in processes of this program. Borrows the reader.
  NetworkRunner Networks();
  // Makes devices to measure on.
  TestbedFactory& Testbeds();
  // Starts mete again, with the same engine and settings, in no cgroup of its
  // own.
  Result<std::unique_ptr<TestbedProcess>> StartSelf(
      const std::vector<std::string>& arguments) const;
  // Samples this machine during one run. Thread-safe.
  std::unique_ptr<MachineProbe> NewMachineProbe();
  // Receives what an application reports through its hooks, on a socket in the
  // folder. `sink` must outlive the listener. Thread-safe.
  Result<std::unique_ptr<AppListener>> Listen(const ListenRequest& request,
                                              AppEventSink& sink);
  // Reads the series of an agent or another exporter at this URL.
  Result<std::unique_ptr<SeriesSource>> AgentSeriesAt(const std::string& url);
  // Reads series from Prometheus. Uses the credentials from the settings if the
  // URL is the one in the settings.
  Result<std::unique_ptr<SeriesSource>> PrometheusSeriesAt(
      const std::string& url);
  // The cluster of the kubeconfig, or of the pod that mete runs in. Fails with
  // kNotFound and a remedy if there is none. Does not connect yet.
  Result<Cluster*> TheCluster();
  // Services in its namespace. Fails alike.
  Result<ClusterServices*> TheClusterServices();
  // The past of metrics from the Prometheus in the settings. Fails with
  // kInvalidInput and a remedy if none is set.
  Result<MetricHistory*> History();
  // Changes limits of programs on this machine. It can be used on another
  // thread.
  std::unique_ptr<Actuator> NewActuator();
  std::unique_ptr<Notifier> NewNotifier();
  // The folder for files of runs that are too large for a database.
  std::filesystem::path RunsFolder();
  // The folder for networks of the zoo that services load.
  std::filesystem::path NetworksFolder();
  // The folder for campaigns of mete contend.
  std::filesystem::path CampaignsFolder();
  // The folder for records of services that outlive this program.
  std::filesystem::path ServicesFolder();
  // Variables that pass this process's settings on to another mete that it
  // starts.
  std::map<std::string, std::string> ChildEnvironment() const;
  // Contains tokens, uploads, predictors and files of runs.
  const std::filesystem::path& state_folder() const { return state_folder_; }

 private:
  // Returns a path in the state folder. Creates the state folder, readable by
  // its owner only, since the logs of runs are private. If that fails, writing
  // the file will fail and report it.
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
  std::unique_ptr<PageCache> page_cache_;
  std::unique_ptr<TestbedFactory> testbeds_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<RunStore> node_store_;
  std::unique_ptr<RunStore> served_runs_;
  std::unique_ptr<NodeSource> nodes_;
  std::unique_ptr<MetricHistory> history_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<ClusterServices> cluster_services_;
  std::unique_ptr<JobStore> jobs_;
  std::unique_ptr<SweepStore> sweeps_;
};

}  // namespace mete
