// mete serve: serves the HTTP API and runs a worker for submitted jobs.
#include "cli/serve_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "cli/jobs_command.h"
#include "cli/show_collecting.h"
#include "control/controller.h"
#include "control/slo_yaml.h"
#include "devices/here_nodes.h"
#include "flags/version.h"
#include "linux/find_user.h"
#include "serve/exposure.h"
#include "serve/server.h"
#include "serve/token.h"
#include "support/text.h"

namespace mete {
namespace {

struct ServeFlags {
  std::optional<std::string> listen;
  std::optional<std::string> token_file;
  std::optional<std::string> web_config;
  bool insecure = false;
  std::optional<std::string> node_ttl;
  std::optional<std::string> rate_limit;
  std::optional<std::string> control;
  bool control_act = false;
  uint64_t parallel = 1;
  bool no_worker = false;
  bool allow_privileged = false;
  bool images_only = false;
  std::optional<std::string> job_user;
};

// Where the token comes from: a file of the user, or, for TCP without one, a
// file that the server generates and keeps.
struct TokenSource {
  // Empty: a socket, protected by its permissions, or client certificates.
  std::filesystem::path file;
  bool own = false;
};

TokenSource FindToken(const Settings& settings, const ServeFlags& flags,
                      const ServerSettings& server,
                      const std::filesystem::path& state_folder) {
  std::string given =
      flags.token_file.value_or(settings.Text("serve.token_file"));
  if (!given.empty()) return {.file = given};
  if (server.listen.local()) return {};
  if (server.web && server.web->requires_certificates()) return {};
  return {.file = state_folder / "serve-token", .own = true};
}

// TLS and headers; null without a web configuration.
Result<std::shared_ptr<WebGuard>> OpenWebGuard(Invocation& invocation,
                                               const ServeFlags& flags,
                                               const Clock& clock) {
  const std::string file =
      flags.web_config.value_or(invocation.settings.Text("serve.web_config"));
  if (file.empty()) return std::shared_ptr<WebGuard>();
  auto opened = WebGuard::Open(
      {.file = file,
       .warn = [&console = invocation.console](
                   const std::string& text) { console.Warn(text); },
       .no_users = "mete serve has tokens instead; see --token-file"},
      clock);
  if (!opened.ok()) return opened.error().While("--web-config");
  return std::shared_ptr<WebGuard>(*std::move(opened));
}

// Returns the tokens that clients must send.
Result<std::vector<AccessToken>> LoadTokens(const TokenSource& source) {
  if (source.file.empty()) return std::vector<AccessToken>();
  if (source.own) return ReadOrMakeTokens(source.file);
  auto tokens = ReadTokens(source.file);
  if (!tokens.ok()) return tokens.error().While("--token-file");
  return tokens;
}

void NoteToken(const TokenSource& source, const Endpoint& endpoint,
               Console& console) {
  if (!source.own) return;
  const std::string file = source.file.string();
  console.Note(fmt::format("clients must send the token in {}:", file));
  console.Note(fmt::format(
      "  curl -H \"Authorization: Bearer $(cat {})\" {}://{}/api/v1/jobs", file,
      endpoint.tls ? "https" : "http", endpoint.Authority()));
}

// On the network everybody in between can read what is not encrypted.
void NotePlainText(const Endpoint& endpoint, Console& console) {
  if (endpoint.local() || endpoint.loopback() || endpoint.tls) return;
  console.Warn(
      "connections are not encrypted: others on the network can read the "
      "token; use --web-config for TLS");
}

Result<UploadRule> MakeUploadRule(const Settings& settings,
                                  const std::filesystem::path& state_folder) {
  UploadRule rule{.folder = settings.Text("serve.upload_folder")};
  if (rule.folder.empty()) rule.folder = state_folder / "uploads";
  ASSIGN_OR_RETURN(rule.largest,
                   ParseBytes(settings.Text("serve.upload_limit")));
  ASSIGN_OR_RETURN(rule.space, ParseBytes(settings.Text("serve.upload_space")));
  return rule;
}

Result<NodeCachePace> MakePace(const Settings& settings,
                               const ServeFlags& flags) {
  ASSIGN_OR_RETURN(
      Seconds ttl,
      ParseDuration(flags.node_ttl.value_or(settings.Text("serve.node_ttl"))));
  return NodeCachePace{
      .ttl = std::chrono::duration_cast<std::chrono::nanoseconds>(ttl)};
}

// After a pause, five seconds' worth of requests may come at once.
Result<RequestRate> MakeRate(const Settings& settings,
                             const ServeFlags& flags) {
  ASSIGN_OR_RETURN(double rate, ParseRequestRate(flags.rate_limit.value_or(
                                    settings.Text("serve.rate_limit"))));
  return RequestRate{.per_second = rate, .burst = 5 * rate};
}

// Starts a controller on its own thread, which ends with the server. Starts
// none if no rules are given.
Result<std::jthread> StartControl(Invocation& invocation,
                                  const ServeFlags& flags,
                                  const ServeDependencies& dependencies) {
  const Settings& settings = invocation.settings;
  const std::string file =
      flags.control.value_or(settings.Text("serve.control"));
  if (file.empty()) return std::jthread();
  const bool act =
      flags.control_act || settings.Text("serve.control_act") == "true";
  ASSIGN_OR_RETURN(SloRules rules, ReadSloRules(file));
  const auto audit = DefaultAuditFile(StateFolder(settings));
  // Decisions go to the audit log. The console shows only problems.
  auto controller =
      dependencies.open_controller({.rules = std::move(rules),
                                    .audit = audit,
                                    .act = act,
                                    .report = [](const AuditEntry&) {}});
  if (!controller.ok()) return controller.error().While("control");
  invocation.console.Note(
      fmt::format("controlling with {}{}; decisions are written to {}", file,
                  act ? "" : ", as a dry run", audit.string()));
  return std::jthread([controller = *std::move(controller),
                       &console = invocation.console](std::stop_token stop) {
    Status ended = controller->Run(stop);
    if (!ended.ok()) console.Warn("control ended: " + ended.error().message());
  });
}

bool PredictionIsOpen(const Settings& settings, const ServeFlags& flags,
                      const Endpoint& listen) {
  const std::string& open = settings.Text("serve.open_prediction");
  return open == "true" ||
         (open == "loopback" && (listen.loopback() || flags.insecure));
}

Result<ServerSettings> SettingsFor(Invocation& invocation,
                                   const ServeFlags& flags,
                                   const ServeDependencies& dependencies) {
  const Settings& settings = invocation.settings;
  const std::filesystem::path& state_folder = dependencies.state_folder;
  ASSIGN_OR_RETURN(
      Endpoint listen,
      ParseListen(flags.listen.value_or(settings.Text("serve.listen"))));
  ServerSettings server{
      .listen = listen,
      .open_prediction = PredictionIsOpen(settings, flags, listen),
      .allow_privileged = flags.allow_privileged,
      .images_only = flags.images_only,
      .other_user = flags.job_user.has_value()};
  ASSIGN_OR_RETURN(server.web,
                   OpenWebGuard(invocation, flags, dependencies.clock));
  const TokenSource token = FindToken(settings, flags, server, state_folder);
  RETURN_IF_ERROR(CheckExposure(
      {.listen = listen,
       .token_file = !token.file.empty() && !token.own,
       .certificates = server.web && server.web->requires_certificates(),
       .insecure = flags.insecure}));
  ASSIGN_OR_RETURN(server.access.tokens, LoadTokens(token));
  server.private_paths = {state_folder};
  if (!token.file.empty()) server.private_paths.push_back(token.file);
  ASSIGN_OR_RETURN(server.uploads, MakeUploadRule(settings, state_folder));
  server.uploads.process.program = dependencies.program;
  ASSIGN_OR_RETURN(server.nodes, MakePace(settings, flags));
  ASSIGN_OR_RETURN(server.rate, MakeRate(settings, flags));
  const std::string& hosts = settings.Text("serve.hosts");
  if (!hosts.empty()) server.hosts = SplitAt(hosts, ',');
  return server;
}

// The nodes with the load that can be read here, as `mete predict` has them.
// Null if Prometheus watches them.
Result<std::unique_ptr<NodeSource>> WatchThisMachine(
    const ServeDependencies& dependencies) {
  const MachineDependencies& machine = dependencies.machine;
  if (!machine.register_this_device) return std::unique_ptr<NodeSource>();
  ASSIGN_OR_RETURN(Device here, machine.register_this_device());
  ASSIGN_OR_RETURN(CollectDependencies collecting, machine.collecting());
  return std::unique_ptr<NodeSource>(std::make_unique<HereNodes>(
      dependencies.nodes, here.id, collecting.new_machine_probe(),
      dependencies.clock));
}

// Measures the engine if that was never done. It takes seconds, so the server
// listens already, and the result appears with the next refresh of the nodes.
void MeasureThisMachine(Invocation& invocation,
                        const MachineDependencies& machine) {
  if (!machine.register_this_device) return;
  auto here =
      InspectMachine(machine, InspectTo(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  if (here.ok() || here.error().code() == ErrorCode::kInterrupted) return;
  invocation.console.Warn("the speed of this machine is assumed: " +
                          here.error().message());
}

// The user that runs the commands of jobs; absent: the server's own.
Result<std::optional<ProcessUser>> FindJobUser(const ServeFlags& flags) {
  if (!flags.job_user) return std::optional<ProcessUser>();
  ASSIGN_OR_RETURN(ProcessUser user, FindUser(*flags.job_user));
  if (user.id == 0) {
    return InvalidInput("choose another user than root");
  }
  if (geteuid() != 0) {
    return InvalidInput("only root can run commands as another user");
  }
  return std::optional(std::move(user));
}

// Errors of flags, settings and the files they name.
bool IsUsageError(const Error& error) {
  return error.code() == ErrorCode::kInvalidInput ||
         error.code() == ErrorCode::kUnsupported ||
         error.code() == ErrorCode::kNotFound;
}

Result<ExitCode> Serve(Invocation& invocation, const ServeFlags& flags,
                       const ServeDependencies& dependencies) {
  ASSIGN_OR_RETURN(Queue queue, OpenQueue(dependencies.jobs, dependencies.host,
                                          dependencies.clock));
  auto settings = SettingsFor(invocation, flags, dependencies);
  if (!settings.ok() && IsUsageError(settings.error())) {
    invocation.console.Error("mete serve: " + settings.error().message());
    return ExitCode::kUsage;
  }
  if (!settings.ok()) return settings.error();
  auto job_user = FindJobUser(flags);
  if (!job_user.ok()) {
    invocation.console.Error("mete serve: --job-user: " +
                             job_user.error().message());
    return ExitCode::kUsage;
  }
  ASSIGN_OR_RETURN(std::unique_ptr<NodeSource> here,
                   WatchThisMachine(dependencies));
  ASSIGN_OR_RETURN(
      auto server,
      Server::Start(*settings,
                    {.queue = queue,
                     .runs = dependencies.runs,
                     .nodes = here ? *here : dependencies.nodes,
                     .reader = dependencies.reader,
                     .read_predictors = dependencies.read_predictors,
                     .draw_entropy = dependencies.draw_entropy,
                     .placing = {.local_places = dependencies.local_places,
                                 .services = dependencies.services.get(),
                                 .stop = invocation.stop}}));
  invocation.console.Note("listening on " + server->endpoint().Text());
  NoteToken(FindToken(invocation.settings, flags, *settings,
                      dependencies.state_folder),
            server->endpoint(), invocation.console);
  NotePlainText(server->endpoint(), invocation.console);
  if (Status ready = server->Predictions(); !ready.ok()) {
    invocation.console.Note("predictions are unavailable: " +
                            ready.error().message());
  }
  ASSIGN_OR_RETURN(std::jthread control,
                   StartControl(invocation, flags, dependencies));
  MeasureThisMachine(invocation, dependencies.machine);
  if (flags.no_worker) {
    TendQueue(queue, invocation.stop);
    return ExitCode::kDone;
  }
  ASSIGN_OR_RETURN(WorkOffDependencies worker, dependencies.worker());
  RETURN_IF_ERROR(WorkOff({.parallel = flags.parallel,
                           .mete_version = kVersion,
                           .user = *std::move(job_user)},
                          worker, WorkerTalkTo(invocation.console),
                          invocation.stop));
  return ExitCode::kDone;
}

}  // namespace

void AddServeCommand(Command root, Verbs& verbs,
                     Lazy<ServeDependencies> dependencies) {
  auto flags = std::make_shared<ServeFlags>();
  Command command = root.Add("serve", "Serve the HTTP API and run queued jobs",
                             "mete serve --listen 127.0.0.1:7001");
  command
      .Option("--listen", flags->listen,
              "Address and port, or unix://PATH (default 127.0.0.1:7001)")
      .Check(ParseListen, "ADDR:PORT");
  command.Option("--token-file", flags->token_file,
                 "File with the token of clients, or lines ROLE:TOKEN with the "
                 "roles read, submit and admin");
  command
      .Option("--web-config", flags->web_config,
              "Prometheus web configuration file (TLS, client certificates)")
      .Placeholder("FILE");
  command.Switch("--insecure", flags->insecure,
                 "Serve other machines without a token file: predictions need "
                 "no token");
  command
      .Option("--node-ttl", flags->node_ttl,
              "How long to cache node data (default 5s)")
      .Check(ParseDuration, "DURATION");
  command
      .Option("--rate-limit", flags->rate_limit,
              "Requests per second of one client (default 200; 0: no limit)")
      .Check(ParseRequestRate, "N");
  command
      .Option("--control", flags->control,
              "Also run the controller with these rules; see mete control")
      .Placeholder("FILE");
  command.Switch("--control-act", flags->control_act,
                 "Let the controller apply its changes (default: dry run)");
  AddParallelFlag(command, flags->parallel);
  Flag no_worker =
      command.Switch("--no-worker", flags->no_worker,
                     "Accept jobs but leave them to other workers");
  command.Switch("--images-only", flags->images_only,
                 "Accept jobs of images and networks, but no commands");
  command
      .Option("--job-user", flags->job_user,
              "User that runs the commands of jobs (requires root)")
      .Placeholder("NAME|UID")
      .Excludes(no_worker);
  command.Switch("--allow-privileged", flags->allow_privileged,
                 "Allow privileged container options");
  verbs.push_back({.command = command,
                   .run = [flags, dependencies](
                              Invocation& invocation) -> Result<ExitCode> {
                     ASSIGN_OR_RETURN(ServeDependencies needs, dependencies());
                     return Serve(invocation, *flags, needs);
                   },
                   .interruptible = true});
}

}  // namespace mete
