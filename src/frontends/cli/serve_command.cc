// mete serve: the HTTP API, and a worker for the jobs it takes.
#include <fmt/format.h>

#include <memory>
#include <thread>

#include "cli/jobs_command.h"
#include "cli/run_entropy.h"
#include "cli/serve_predictors.h"
#include "cli/serve_token.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "control/controller.h"
#include "control/slo_yaml.h"
#include "devices/cached_nodes.h"
#include "jobs/stale_jobs.h"
#include "net/http_server.h"
#include "serve/api.h"

namespace mete {
namespace {

// Uploads take theirs for a second; questions go on beside them.
constexpr size_t kHandlerThreads = 4;

struct ServeFlags {
  std::optional<std::string> listen;
  std::optional<std::string> token_file;
  std::optional<std::string> node_ttl;
  std::optional<std::string> control;
  bool control_act = false;
  uint64_t parallel = 1;
  bool no_worker = false;
  bool allow_privileged = false;
};

// The token callers must know: the one in the file that is named; over TCP
// without one, a token of the server's own.
Result<std::string> TokenFor(Invocation& invocation, const Endpoint& listen,
                             const std::string& file) {
  if (!file.empty()) return ReadToken(file);
  if (listen.local()) return std::string();  // guarded by its file
  auto own = StateFolder(invocation.settings) / "serve-token";
  ASSIGN_OR_RETURN(std::string token, ReadOrMakeToken(own));
  invocation.talk.Note(
      fmt::format("callers need the token in {}:", own.string()));
  invocation.talk.Note(fmt::format(
      "  curl -H \"Authorization: Bearer $(cat {})\" http://{}/api/v1/jobs",
      own.string(), listen.Authority()));
  return token;
}

// Until Ctrl-C, while the server's threads answer.
void TendQueue(const Queue& queue, Clock& clock, std::stop_token stop) {
  StaleWatch stale(queue.store, queue.device_id, clock);
  while (clock.SleepFor(std::chrono::seconds(1), stop)) {
    static_cast<void>(stale.Look().ok());
  }
}

Result<UploadRule> UploadRuleOf(Invocation& invocation) {
  const Settings& settings = invocation.settings;
  UploadRule rule{.folder = settings.Text("serve.upload_folder")};
  if (rule.folder.empty()) {
    rule.folder = StateFolder(settings) / "uploads";
  }
  ASSIGN_OR_RETURN(rule.largest,
                   ParseBytes(settings.Text("serve.upload_limit")));
  ASSIGN_OR_RETURN(rule.space, ParseBytes(settings.Text("serve.upload_space")));
  return rule;
}

Result<NodeCachePace> PaceOf(const Settings& settings,
                             const ServeFlags& flags) {
  ASSIGN_OR_RETURN(
      Seconds ttl,
      ParseDuration(flags.node_ttl.value_or(settings.Text("serve.node_ttl"))));
  return NodeCachePace{
      .ttl = std::chrono::duration_cast<std::chrono::nanoseconds>(ttl)};
}

// A controller beside the server, on a thread of its own that ends with it.
// None when no rules are named.
Result<std::jthread> StartControl(Invocation& invocation,
                                  const ServeFlags& flags) {
  const Settings& settings = invocation.settings;
  const std::string file =
      flags.control.value_or(settings.Text("serve.control"));
  if (file.empty()) return std::jthread();
  const bool act =
      flags.control_act || settings.Text("serve.control_act") == "true";
  ASSIGN_OR_RETURN(SloRules rules, ReadSloRules(file));
  const auto audit = DefaultAuditFile(StateFolder(settings));
  Services& services = invocation.services;
  // Decisions are in the audit log; here is only what goes wrong with it.
  auto controller = Controller::Open(
      {.rules = std::move(rules),
       .audit = audit,
       .act = act,
       .tell = [](const AuditEntry&) {}},
      {.open_agent =
           [&services](const std::string& url) {
             return services.AgentSeriesAt(url);
           },
       .open_prometheus =
           [&services](const std::string& url) {
             return services.PrometheusSeriesAt(url);
           },
       .new_actuator = [&services] { return services.NewActuator(); },
       .new_notifier = [&services] { return services.NewNotifier(); },
       .clock = services.TheClock()});
  if (!controller.ok()) return controller.error().While("control");
  invocation.talk.Note(
      fmt::format("controlling by {}{}; decisions are written to {}", file,
                  act ? "" : ", as a dry run", audit.string()));
  return std::jthread([controller = *std::move(controller),
                       &talk = invocation.talk](std::stop_token stop) {
    Status ended = controller->Run(stop);
    if (!ended.ok()) talk.Warn("control ended: " + ended.error().message());
  });
}

bool PredictionIsOpen(const Settings& settings, const Endpoint& listen) {
  const std::string& open = settings.Text("serve.open_prediction");
  return open == "true" || (open == "loopback" && listen.loopback());
}

Result<ExitCode> Serve(Invocation& invocation, const ServeFlags& flags) {
  const Settings& settings = invocation.settings;
  Clock& clock = invocation.services.TheClock();
  ASSIGN_OR_RETURN(
      Endpoint listen,
      ParseListen(flags.listen.value_or(settings.Text("serve.listen"))));
  ASSIGN_OR_RETURN(Queue queue, OpenQueue(invocation.services));
  ASSIGN_OR_RETURN(
      std::string token,
      TokenFor(invocation, listen,
               flags.token_file.value_or(settings.Text("serve.token_file"))));
  ASSIGN_OR_RETURN(UploadRule uploads, UploadRuleOf(invocation));
  ASSIGN_OR_RETURN(NodeCachePace pace, PaceOf(settings, flags));
  ASSIGN_OR_RETURN(NodeSource * source, invocation.services.Nodes());
  CachedNodes nodes(*source, pace, clock);
  ServePredictors predictors(
      [&invocation] { return invocation.services.Predictors(); }, clock);
  ServerMetrics metrics(clock, nodes);
  Router router =
      MakeApi({.jobs = queue.store,
               .clock = clock,
               .device_id = queue.device_id,
               .access = {.token = token},
               .allow_privileged = flags.allow_privileged,
               .entropy = &DrawRunEntropy},
              {.predictors = [&predictors] { return predictors.Get(); },
               .nodes = nodes,
               .reader = invocation.services.Reader(),
               .access = {.token = token},
               .open = PredictionIsOpen(settings, listen),
               .uploads = uploads},
              metrics);
  HttpServerSettings server_settings{.listen = listen,
                                     .threads = kHandlerThreads};
  server_settings.quick = [&nodes](const HttpRequest& request) {
    return IsQuickPrediction(request) && nodes.Answered();
  };
  server_settings.body_limit = [uploads,
                                otherwise = server_settings.largest_body](
                                   std::string_view, std::string_view target) {
    return PredictionBodyLimit(uploads, target).value_or(otherwise);
  };
  ASSIGN_OR_RETURN(
      auto server,
      HttpServer::Start(server_settings, [&router](const HttpRequest& request) {
        return router.Route(request);
      }));
  invocation.talk.Note("listening on " + server->endpoint().Text());
  if (auto ready = predictors.Get(); !ready.ok()) {
    invocation.talk.Note("predictions are refused: " + ready.error().message());
  }
  ASSIGN_OR_RETURN(std::jthread control, StartControl(invocation, flags));
  if (flags.no_worker) {
    TendQueue(queue, clock, invocation.stop);
    return ExitCode::kDone;
  }
  auto ended = WorkOff(invocation, queue, {.parallel = flags.parallel});
  if (!ended.ok()) return ended.error();
  return ExitCode::kDone;
}

}  // namespace

void AddServeCommand(Command root, Verbs& verbs) {
  auto flags = std::make_shared<ServeFlags>();
  Command command =
      root.Add("serve", "Serve the HTTP API and work off the job queue",
               "mete serve --listen 127.0.0.1:7001");
  command
      .Option("--listen", flags->listen,
              "Address and port, or unix://PATH (default 127.0.0.1:7001)")
      .Check(ParseListen, "WHERE");
  command.Option("--token-file", flags->token_file,
                 "File whose first line callers must know");
  command
      .Option("--node-ttl", flags->node_ttl,
              "How old what is known of nodes may get (default 5s)")
      .Check(ParseDuration, "TIME");
  command.Option("--control", flags->control,
                 "Rules of a controller beside the server; see mete control");
  command.Switch("--control-act", flags->control_act,
                 "That controller acts (default: dry run)");
  AddParallelFlag(command, flags->parallel);
  command.Switch("--no-worker", flags->no_worker,
                 "Take jobs, but leave them to other workers");
  command.Switch("--allow-privileged", flags->allow_privileged,
                 "Jobs may ask for power over the machine");
  verbs.push_back(
      {.command = command,
       .run = [flags](
                  Invocation& invocation) { return Serve(invocation, *flags); },
       .interruptible = true});
}

}  // namespace mete
