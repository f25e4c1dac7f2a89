#include "wiring/system.h"

#include <map>
#include <random>
#include <utility>

#include "adapters/attach/attach.h"
#include "adapters/docker/docker_api.h"
#include "adapters/docker/docker_engine.h"
#include "adapters/docker/engine_endpoint.h"
#include "adapters/exporters/agent_series.h"
#include "adapters/gnuplot/gnuplot_renderer.h"
#include "adapters/hook/hook_receiver.h"
#include "adapters/host/host_probes.h"
#include "adapters/host/linux_host.h"
#include "adapters/host/linux_machine_probe.h"
#include "adapters/host/linux_page_cache.h"
#include "adapters/images/stb_image_reader.h"
#include "adapters/kubernetes/cluster_access.h"
#include "adapters/kubernetes/kubernetes_cluster.h"
#include "adapters/kubernetes/kubernetes_launcher.h"
#include "adapters/kubernetes/kubernetes_services.h"
#include "adapters/nvml/nvml_library.h"
#include "adapters/onnx/graph_reader.h"
#include "adapters/onnx/graph_writer.h"
#include "adapters/onnxruntime/engine.h"
#include "adapters/process/process_launcher.h"
#include "adapters/process/process_testbed.h"
#include "adapters/process/testbed_process.h"
#include "adapters/prometheus/prometheus_history.h"
#include "adapters/prometheus/prometheus_nodes.h"
#include "adapters/prometheus/prometheus_series.h"
#include "adapters/webhook/webhook_notifier.h"
#include "devices/store_nodes.h"
#include "measure/application_spec.h"
#include "ports/actuator.h"
#include "ports/app_event_sink.h"
#include "ports/engine.h"
#include "ports/graph_reader.h"
#include "ports/graph_writer.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "ports/job_store.h"
#include "ports/launch_environment.h"
#include "ports/launchers.h"
#include "ports/machine_probe.h"
#include "ports/metric_history.h"
#include "ports/node_source.h"
#include "ports/notifier.h"
#include "ports/plot_renderer.h"
#include "ports/run_store.h"
#include "ports/series_source.h"
#include "ports/sweep_store.h"
#include "ports/system_probes.h"
#include "ports/testbed.h"
#include "predict/bundled_predictors.h"
#include "predict/predictor_files.h"
#include "predict/tree_predictor.h"
#include "support/file.h"
#include "support/json.h"
#include "support/private_folder.h"
#include "wiring/machine/machine_sources.h"
#include "wiring/open_stores.h"
#include "wiring/target_actuator.h"

namespace mete {
namespace {

// Names below the state folder.
constexpr std::string_view kPredictors = "predictors";

template <typename Part, typename Port, typename... Arguments>
Port& MadeOnce(std::unique_ptr<Port>& part, Arguments&&... arguments) {
  if (part == nullptr) {
    part = std::make_unique<Part>(std::forward<Arguments>(arguments)...);
  }
  return *part;
}

Result<std::unique_ptr<Launcher>> MakeProcesses() {
  return std::unique_ptr<Launcher>(std::make_unique<ProcessLauncher>());
}

Result<std::unique_ptr<Launcher>> OpenContainers(
    const EnvironmentLookup& environment, std::stop_token stop) {
  ASSIGN_OR_RETURN(Endpoint endpoint, FindEngine({.environment = environment}));
  ASSIGN_OR_RETURN(
      std::unique_ptr<Launcher> engine,
      DockerEngine::Open(std::move(endpoint), SystemRoot(), std::move(stop)));
  return engine;
}

Result<ClusterAccess> FindCluster(const Settings& settings,
                                  const EnvironmentLookup& environment) {
  return FindClusterAccess(
      {.environment = environment,
       .kubeconfig = settings.Text("kubernetes.kubeconfig"),
       .context = settings.Text("kubernetes.context"),
       .space = settings.Text("kubernetes.namespace"),
       .allow_insecure = settings.Text("kubernetes.insecure") == "true"});
}

Result<std::unique_ptr<Launcher>> OpenKubernetes(
    const Settings& settings, const EnvironmentLookup& environment,
    Clock& clock, std::stop_token stop) {
  KubernetesLauncherSettings launcher{
      .gpu_resource = settings.Text("kubernetes.gpu_resource"),
      .seed = std::random_device()()};
  ASSIGN_OR_RETURN(launcher.access, FindCluster(settings, environment));
  ASSIGN_OR_RETURN(Seconds start,
                   ParseDuration(settings.Text("kubernetes.start_timeout")));
  launcher.patience.start =
      std::chrono::duration_cast<std::chrono::nanoseconds>(start);
  ASSIGN_OR_RETURN(
      std::unique_ptr<Launcher> opened,
      KubernetesLauncher::Open(std::move(launcher), clock, std::move(stop)));
  return opened;
}

}  // namespace

System::System(const Settings& settings, EnvironmentLookup environment)
    : settings_(settings),
      environment_(std::move(environment)),
      state_folder_(StateFolder(settings)),
      onnxruntime_path_(settings.Text("onnxruntime")),
      nvml_path_(settings.Text("nvml")) {}

System::~System() = default;

Host& System::ThisHost() {
  return MadeOnce<LinuxHost>(host_, "/", state_folder_);
}

SystemProbes& System::Probes() {
  return MadeOnce<HostProbes>(probes_, [this] { return AskNvml(nvml_path_); });
}

GraphReader& System::Reader() { return MadeOnce<OnnxGraphReader>(reader_); }

GraphWriter& System::Writer() { return MadeOnce<OnnxGraphWriter>(writer_); }

ImageReader& System::Images() { return MadeOnce<StbImageReader>(images_); }

PlotRenderer& System::Plots() { return MadeOnce<GnuplotRenderer>(plots_); }

bool System::WatchedByPrometheus() const {
  return !settings_.Text("prometheus.url").empty();
}

Result<Engine*> System::TheEngine() {
  if (engine_ == nullptr) {
    ASSIGN_OR_RETURN(engine_, OnnxRuntimeEngine::Open(onnxruntime_path_));
  }
  return engine_.get();
}

Launchers& System::TheLaunchers() {
  if (launchers_ == nullptr) {
    // To add a launcher, add one line for its kind of workload.
    launchers_ = std::make_unique<Launchers>(
        std::map<WorkloadKind, LauncherFactory>{
            {WorkloadKind::kCommand,
             [](std::stop_token) { return MakeProcesses(); }},
            {WorkloadKind::kImage,
             [this](std::stop_token stop) {
               return OpenContainers(environment_, std::move(stop));
             }}},
        std::map<std::string, LauncherFactory>{
            {kKubernetesLauncher, [this](std::stop_token stop) {
               return OpenKubernetes(settings_, environment_, clock_,
                                     std::move(stop));
             }}});
  }
  return *launchers_;
}

PageCache& System::ThePageCache() {
  if (page_cache_ == nullptr) page_cache_ = std::make_unique<LinuxPageCache>();
  return *page_cache_;
}

std::map<std::string, std::string> System::ChildEnvironment() const {
  std::map<std::string, std::string> environment;
  if (!onnxruntime_path_.empty()) {
    environment["METE_ONNXRUNTIME"] = onnxruntime_path_.string();
  }
  // The precision that a fixed number of iterations must reach.
  environment["METE_MEASURE_UNTIL"] = settings_.Text("measure.until");
  return environment;
}

NetworkRunner System::Networks() {
  GraphReader& reader = Reader();
  return {.program = OwnProgram(),
          .environment = ChildEnvironment(),
          .defaults = NetworkDefaultsFrom(settings_),
          .check = [&reader](const std::filesystem::path& file) -> Status {
            RETURN_IF_ERROR(reader.Read(file));
            return {};
          }};
}

Result<std::unique_ptr<TestbedProcess>> System::StartSelf(
    const std::vector<std::string>& arguments) const {
  LaunchRequest launch{.environment = ChildEnvironment()};
  KeptTestbedProcess::Request request{
      .command = {OwnProgram()},
      .environment = EnvironmentFor(launch, mete::OwnEnvironment()),
      .group_folders = {}};
  request.command.insert(request.command.end(), arguments.begin(),
                         arguments.end());
  ASSIGN_OR_RETURN(auto process, KeptTestbedProcess::Start(std::move(request)));
  return std::unique_ptr<TestbedProcess>(std::move(process));
}

TestbedFactory& System::Testbeds() {
  if (testbeds_ == nullptr) {
    testbeds_ = std::make_unique<ProcessTestbedFactory>(OwnProgram(),
                                                        ChildEnvironment());
  }
  return *testbeds_;
}

TorchPlaces System::Torch() const {
  return {.beside = std::filesystem::path(OwnProgram()).parent_path(),
          .path = environment_("PATH").value_or("")};
}

std::unique_ptr<MachineProbe> System::NewMachineProbe() {
  return std::make_unique<LinuxMachineProbe>(
      SystemRoot(), clock_, OpenMachineSources(nvml_path_, clock_));
}

Result<std::unique_ptr<AppListener>> System::Listen(
    const ListenRequest& request, AppEventSink& sink) {
  auto access =
      request.everyone ? SocketAccess::kEveryone : SocketAccess::kOwner;
  ASSIGN_OR_RETURN(
      std::unique_ptr<AppListener> listener,
      HookReceiver::Open({.folder = request.folder, .access = access}, sink,
                         clock_));
  return listener;
}

Result<std::unique_ptr<SeriesSource>> System::AgentSeriesAt(
    const std::string& url) {
  ASSIGN_OR_RETURN(std::unique_ptr<SeriesSource> agent,
                   AgentSeries::Open(url, clock_));
  return agent;
}

Result<std::unique_ptr<SeriesSource>> System::PrometheusSeriesAt(
    const std::string& url) {
  PrometheusPlace place;
  ASSIGN_OR_RETURN(place.url, ParseUrl(url));
  if (url == settings_.Text("prometheus.url")) {
    ASSIGN_OR_RETURN(place, PlaceOfPrometheus());
  }
  return std::unique_ptr<SeriesSource>(
      std::make_unique<PrometheusSeries>(url, std::move(place)));
}

std::unique_ptr<Actuator> System::NewActuator() {
  return std::make_unique<TargetActuator>(environment_);
}

std::unique_ptr<Notifier> System::NewNotifier() {
  return std::make_unique<WebhookNotifier>();
}

std::filesystem::path System::InStateFolder(std::string_view name) {
  static_cast<void>(MakePrivateFolder(state_folder_).ok());
  return state_folder_ / name;
}

std::filesystem::path System::RunsFolder() { return InStateFolder("runs"); }

std::filesystem::path System::NetworksFolder() {
  return InStateFolder("networks");
}

std::filesystem::path System::CampaignsFolder() {
  return InStateFolder("contend");
}

std::filesystem::path System::ServicesFolder() {
  return InStateFolder("services");
}

Result<Stores> System::TheStores() const {
  return OpenStores(settings_.Text("store"));
}

Result<RunStore*> System::Store() {
  if (store_ == nullptr) {
    ASSIGN_OR_RETURN(Stores stores, TheStores());
    ASSIGN_OR_RETURN(store_, stores.open_runs());
  }
  return store_.get();
}

Result<AttachedService> System::Attach(const AttachTarget& target) const {
  auto found = AttachTo(target, SystemRoot());
  if (found.ok() || target.pid ||
      found.error().code() != ErrorCode::kNotFound) {
    return found;
  }
  auto endpoint = FindEngine({.environment = environment_});
  if (!endpoint.ok()) return found;
  constexpr HttpPatience kPatience{.silence = std::chrono::seconds(5)};
  auto container =
      DockerApi(*std::move(endpoint), kPatience).Describe(target.container);
  if (!container.ok() || !container->contains("Id")) return found;
  ASSIGN_OR_RETURN(
      AttachedService service,
      AttachTo({.container = container->at("Id").get<std::string>()},
               SystemRoot()));
  service.workload.name = target.container;
  return service;
}

Result<RunStore*> System::ServedRuns() {
  if (served_runs_ == nullptr) {
    ASSIGN_OR_RETURN(Stores stores, TheStores());
    ASSIGN_OR_RETURN(served_runs_, stores.open_runs());
  }
  return served_runs_.get();
}

Result<std::unique_ptr<RunStore>> System::NewRunStore() const {
  ASSIGN_OR_RETURN(Stores stores, TheStores());
  return stores.open_runs();
}

Result<NodeSource*> System::Nodes() {
  if (nodes_ != nullptr) return nodes_.get();
  if (WatchedByPrometheus()) {
    ASSIGN_OR_RETURN(nodes_, OpenPrometheus());
    return nodes_.get();
  }
  // Open a separate connection, since another thread reads the nodes.
  ASSIGN_OR_RETURN(Stores stores, TheStores());
  ASSIGN_OR_RETURN(node_store_, stores.open_runs());
  nodes_ = std::make_unique<StoreNodes>(*node_store_, clock_);
  return nodes_.get();
}

Result<PredictorSet> System::Predictors() {
  return LoadPredictors(state_folder_ / kPredictors, TheBundledPredictors());
}

Result<std::shared_ptr<const TreePredictor>> System::TrainedPredictor() {
  return LoadFullPredictor(state_folder_ / kPredictors, TheBundledPredictors());
}

std::filesystem::path System::PredictorsFolder() {
  return InStateFolder(kPredictors);
}

Result<JobStore*> System::Jobs() {
  if (jobs_ == nullptr) {
    ASSIGN_OR_RETURN(Stores stores, TheStores());
    ASSIGN_OR_RETURN(jobs_, stores.open_jobs());
  }
  return jobs_.get();
}

Result<SweepStore*> System::Sweeps() {
  if (sweeps_ == nullptr) {
    ASSIGN_OR_RETURN(Stores stores, TheStores());
    ASSIGN_OR_RETURN(sweeps_, stores.open_sweeps());
  }
  return sweeps_.get();
}

Result<std::unique_ptr<ProfileStore>> System::NewProfileStore() {
  ASSIGN_OR_RETURN(Stores stores, TheStores());
  return stores.open_profiles();
}

Result<Cluster*> System::TheCluster() {
  if (cluster_ == nullptr) {
    ASSIGN_OR_RETURN(ClusterAccess access,
                     FindCluster(settings_, environment_));
    cluster_ = std::make_unique<KubernetesCluster>(std::move(access), clock_);
  }
  return cluster_.get();
}

Result<ClusterServices*> System::TheClusterServices() {
  if (cluster_services_ == nullptr) {
    ASSIGN_OR_RETURN(ClusterAccess access,
                     FindCluster(settings_, environment_));
    cluster_services_ =
        std::make_unique<KubernetesServices>(std::move(access), clock_);
  }
  return cluster_services_.get();
}

Result<MetricHistory*> System::History() {
  if (!WatchedByPrometheus()) {
    return InvalidInput(
        "no metrics: set prometheus.url in the settings, or METE_PROMETHEUS, "
        "for example http://127.0.0.1:9090");
  }
  if (history_ == nullptr) {
    ASSIGN_OR_RETURN(PrometheusPlace place, PlaceOfPrometheus());
    history_ = std::make_unique<PrometheusHistory>(std::move(place),
                                                   HistoryPace{}, clock_);
  }
  return history_.get();
}

Result<PrometheusPlace> System::PlaceOfPrometheus() {
  auto url = ParseUrl(settings_.Text("prometheus.url"));
  if (!url.ok()) return url.error().While("prometheus.url");
  return PrometheusPlace{
      .url = *std::move(url),
      .bearer_token_file = settings_.Text("prometheus.bearer_token_file"),
      .username = settings_.Text("prometheus.username"),
      .password_file = settings_.Text("prometheus.password_file"),
      .ca_file = settings_.Text("prometheus.ca_file")};
}

Result<std::unique_ptr<NodeSource>> System::OpenPrometheus() {
  ASSIGN_OR_RETURN(PrometheusPlace place, PlaceOfPrometheus());
  ASSIGN_OR_RETURN(Seconds window,
                   ParseDuration(settings_.Text("prometheus.load_window")));
  return std::unique_ptr<NodeSource>(std::make_unique<PrometheusNodes>(
      std::move(place), PrometheusNodesPace{.load_window = window}, clock_));
}

}  // namespace mete
