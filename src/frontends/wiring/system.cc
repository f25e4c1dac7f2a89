#include "wiring/system.h"

#include "adapters/docker/docker_engine.h"
#include "adapters/docker/engine_endpoint.h"
#include "adapters/exporters/agent_series.h"
#include "adapters/gnuplot/gnuplot_renderer.h"
#include "adapters/hook/hook_receiver.h"
#include "adapters/host/host_probes.h"
#include "adapters/host/linux_host.h"
#include "adapters/host/linux_machine_probe.h"
#include "adapters/images/stb_image_reader.h"
#include "adapters/nvml/nvml_library.h"
#include "adapters/onnx/graph_reader.h"
#include "adapters/onnx/graph_writer.h"
#include "adapters/onnxruntime/engine.h"
#include "adapters/process/process_launcher.h"
#include "adapters/process/process_workbench.h"
#include "adapters/prometheus/prometheus_nodes.h"
#include "adapters/prometheus/prometheus_series.h"
#include "adapters/sqlite/sqlite_job_store.h"
#include "adapters/sqlite/sqlite_run_store.h"
#include "adapters/sqlite/sqlite_sweep_store.h"
#include "adapters/webhook/webhook_notifier.h"
#include "devices/store_nodes.h"
#include "predict/predictor_files.h"
#include "predict/starters.h"
#include "support/file.h"
#include "wiring/machine/machine_sources.h"
#include "wiring/target_actuator.h"

namespace mete {
namespace {

constexpr std::string_view kSqliteScheme = "sqlite:";

class RealServices final : public Services {
 public:
  RealServices(const Settings& settings, const EnvironmentLookup& environment)
      : settings_(settings),
        environment_(environment),
        store_path_(settings.Text("store").substr(kSqliteScheme.size())),
        onnxruntime_path_(settings.Text("onnxruntime")),
        nvml_path_(settings.Text("nvml")),
        host_("/", StateFolder(environment)) {}

  Clock& TheClock() override { return clock_; }
  Host& ThisHost() override { return host_; }
  SystemProbes& Probes() override { return probes_; }
  GraphReader& Reader() override { return reader_; }
  GraphWriter& Writer() override { return writer_; }
  ImageReader& Images() override { return images_; }
  PlotRenderer& Plots() override { return plots_; }

  Result<Engine*> TheEngine() override {
    if (engine_ == nullptr) {
      ASSIGN_OR_RETURN(engine_, OnnxRuntimeEngine::Open(onnxruntime_path_));
    }
    return engine_.get();
  }

  Result<Launcher*> Processes() override {
    if (processes_ == nullptr) processes_ = std::make_unique<ProcessLauncher>();
    return processes_.get();
  }

  WorkbenchMaker& Benches() override {
    if (benches_ == nullptr) {
      // What this process was told, the ones it starts must hear as well.
      std::map<std::string, std::string> environment;
      if (!onnxruntime_path_.empty()) {
        environment["METE_ONNXRUNTIME"] = onnxruntime_path_.string();
      }
      benches_ = std::make_unique<ProcessWorkbenchMaker>(
          OwnProgram(), std::move(environment));
    }
    return *benches_;
  }

  Result<ContainerEngine*> Containers() override {
    if (containers_ == nullptr) {
      ASSIGN_OR_RETURN(Endpoint endpoint,
                       FindEngine({.environment = environment_}));
      ASSIGN_OR_RETURN(containers_, DockerEngine::Open(std::move(endpoint)));
    }
    return containers_.get();
  }

  std::unique_ptr<MachineProbe> NewMachineProbe() override {
    return std::make_unique<LinuxMachineProbe>(
        SystemRoot(), clock_, OpenMachineSources(nvml_path_, clock_));
  }

  Result<std::unique_ptr<AppListener>> Listen(const ListenRequest& request,
                                              AppEventSink& sink) override {
    auto access =
        request.everyone ? SocketAccess::kEveryone : SocketAccess::kOwner;
    ASSIGN_OR_RETURN(
        std::unique_ptr<AppListener> listener,
        HookReceiver::Open({.folder = request.folder, .access = access}, sink,
                           clock_));
    return listener;
  }

  Result<std::unique_ptr<SeriesSource>> AgentSeriesAt(
      const std::string& url) override {
    ASSIGN_OR_RETURN(std::unique_ptr<SeriesSource> agent,
                     AgentSeries::Open(url, clock_));
    return agent;
  }

  Result<std::unique_ptr<SeriesSource>> PrometheusSeriesAt(
      const std::string& url) override {
    PrometheusPlace place;
    ASSIGN_OR_RETURN(place.url, ParseUrl(url));
    if (url == settings_.Text("prometheus.url")) {
      ASSIGN_OR_RETURN(place, PlaceOfPrometheus());
    }
    return std::unique_ptr<SeriesSource>(
        std::make_unique<PrometheusSeries>(url, std::move(place)));
  }

  std::unique_ptr<Actuator> NewActuator() override {
    return std::make_unique<TargetActuator>(environment_);
  }

  std::unique_ptr<Notifier> NewNotifier() override {
    return std::make_unique<WebhookNotifier>();
  }

  std::filesystem::path RunsFolder() override {
    return store_path_.parent_path() / "runs";
  }

  Result<RunStore*> Store() override {
    if (store_ == nullptr) {
      ASSIGN_OR_RETURN(store_, SqliteRunStore::Open(store_path_));
    }
    return store_.get();
  }

  Result<NodeSource*> Nodes() override {
    if (nodes_ != nullptr) return nodes_.get();
    if (!settings_.Text("prometheus.url").empty()) {
      ASSIGN_OR_RETURN(nodes_, OpenPrometheus());
      return nodes_.get();
    }
    // A connection of its own: nodes are asked for from another thread.
    ASSIGN_OR_RETURN(node_store_, SqliteRunStore::Open(store_path_));
    nodes_ = std::make_unique<StoreNodes>(*node_store_, clock_);
    return nodes_.get();
  }

  Result<PredictorSet> Predictors() override {
    return LoadPredictors(PredictorsFolder(), TheStarters());
  }

  Result<std::shared_ptr<const TreePredictor>> TrainedPredictor() override {
    return LoadFullPredictor(PredictorsFolder(), TheStarters());
  }

  std::filesystem::path PredictorsFolder() override {
    return store_path_.parent_path() / "predictors";
  }

  Result<JobStore*> Jobs() override {
    if (jobs_ == nullptr) {
      ASSIGN_OR_RETURN(jobs_, SqliteJobStore::Open(store_path_));
    }
    return jobs_.get();
  }

  Result<SweepStore*> Sweeps() override {
    if (sweeps_ == nullptr) {
      ASSIGN_OR_RETURN(sweeps_, SqliteSweepStore::Open({.path = store_path_}));
    }
    return sweeps_.get();
  }

 private:
  Result<PrometheusPlace> PlaceOfPrometheus() {
    auto url = ParseUrl(settings_.Text("prometheus.url"));
    if (!url.ok()) return url.error().While("prometheus.url");
    return PrometheusPlace{
        .url = *std::move(url),
        .bearer_token_file = settings_.Text("prometheus.bearer_token_file"),
        .username = settings_.Text("prometheus.username"),
        .password_file = settings_.Text("prometheus.password_file"),
        .ca_file = settings_.Text("prometheus.ca_file")};
  }

  Result<std::unique_ptr<NodeSource>> OpenPrometheus() {
    ASSIGN_OR_RETURN(PrometheusPlace place, PlaceOfPrometheus());
    ASSIGN_OR_RETURN(Seconds window,
                     ParseDuration(settings_.Text("prometheus.load_window")));
    return std::unique_ptr<NodeSource>(std::make_unique<PrometheusNodes>(
        std::move(place), PrometheusNodesPace{.load_window = window}, clock_));
  }

  const Settings settings_;
  EnvironmentLookup environment_;
  std::filesystem::path store_path_;
  std::filesystem::path onnxruntime_path_;
  std::string nvml_path_;
  SystemClock clock_;
  LinuxHost host_;
  HostProbes probes_{[this] { return AskNvml(nvml_path_); }};
  OnnxGraphReader reader_;
  OnnxGraphWriter writer_;
  StbImageReader images_;
  GnuplotRenderer plots_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Launcher> processes_;
  std::unique_ptr<WorkbenchMaker> benches_;
  std::unique_ptr<ContainerEngine> containers_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<RunStore> node_store_;
  std::unique_ptr<NodeSource> nodes_;
  std::unique_ptr<JobStore> jobs_;
  std::unique_ptr<SweepStore> sweeps_;
};

}  // namespace

std::unique_ptr<Services> MakeServices(const Settings& settings,
                                       const EnvironmentLookup& environment) {
  return std::make_unique<RealServices>(settings, environment);
}

}  // namespace mete
