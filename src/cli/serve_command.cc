// mete serve: the HTTP API, and a worker for the jobs it takes.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "cli/application_services.h"
#include "cli/run_entropy.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "devices/this_device.h"
#include "jobs/worker.h"
#include "net/http_server.h"
#include "serve/api.h"
#include "support/file.h"

namespace mete {
namespace {

struct ServeFlags {
  std::optional<std::string> listen;
  std::optional<std::string> token_file;
  uint64_t parallel = 1;
  bool no_worker = false;
  bool allow_privileged = false;
};

Result<Endpoint> ParseListen(const std::string& text) {
  if (text.starts_with("unix://")) return ParseEndpoint(text);
  auto endpoint = ParseEndpoint("tcp://" + text);
  if (endpoint.ok() && text.find(':') != std::string::npos) return endpoint;
  return InvalidInput(fmt::format(
      "'{}' is not an address and a port, as in 127.0.0.1:7001, nor a socket, "
      "as in unix:///run/mete.sock",
      text));
}

// The first line of the file: an editor leaves an end of line behind.
Result<std::string> ReadToken(const std::string& file) {
  if (file.empty()) return std::string();
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  if (text.empty()) return InvalidInput(file + ": holds no token");
  return text;
}

WorkerTalk TalkOf(Talk& talk) {
  return {.started =
              [&talk](const Job& job) {
                talk.Note(fmt::format("{}: started ({})", job.name, job.id));
              },
          .ended =
              [&talk](const Job& job) {
                talk.Note(fmt::format("{}: {} ({})", job.name,
                                      NameOf(job.state), job.id));
              },
          .warn = [&talk](const std::string& line) { talk.Warn(line); }};
}

// Waits for Ctrl-C while the server's threads work.
void AwaitStop(Clock& clock, std::stop_token stop) {
  while (clock.SleepFor(std::chrono::hours(1), stop)) {
  }
}

Status Work(Invocation& invocation, const ServeFlags& flags,
            const Device& device, JobStore& jobs, RunStore& runs) {
  auto ended = RunWorker(
      {.device = device,
       .mete_version = kVersion,
       .name = fmt::format("{}:{}", device.name, getpid()),
       .folder = invocation.services.RunsFolder(),
       .parallel = flags.parallel},
      {.jobs = jobs, .runs = runs, .outside = OutsideOf(invocation.services)},
      TalkOf(invocation.talk), invocation.stop);
  if (!ended.ok()) return ended.error();
  return {};
}

Result<ExitCode> Serve(Invocation& invocation, const ServeFlags& flags) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(std::string token,
                   ReadToken(flags.token_file.value_or(
                       invocation.settings.Text("serve.token_file"))));
  ASSIGN_OR_RETURN(Endpoint listen,
                   ParseListen(flags.listen.value_or(
                       invocation.settings.Text("serve.listen"))));
  ASSIGN_OR_RETURN(RunStore * runs, services.Store());
  ASSIGN_OR_RETURN(Device device, RegisterThisDevice(*runs, services.ThisHost(),
                                                     services.TheClock()));
  ASSIGN_OR_RETURN(JobStore * jobs, services.Jobs());
  Router router = MakeApi({.jobs = *jobs,
                           .clock = services.TheClock(),
                           .device_id = device.id,
                           .access = {.token = token, .listen = listen},
                           .allow_privileged = flags.allow_privileged,
                           .entropy = &DrawRunEntropy});
  ASSIGN_OR_RETURN(auto server,
                   HttpServer::Start({.listen = listen},
                                     [&router](const HttpRequest& request) {
                                       return router.Route(request);
                                     }));
  invocation.talk.Note("listening on " +
                       (listen.local()
                            ? listen.Text()
                            : "http://" + server->endpoint().Authority()));
  if (token.empty() && !IsLocal(listen)) {
    invocation.talk.Warn(
        "others can reach this server: without --token-file it takes no jobs");
  }
  if (flags.no_worker) {
    AwaitStop(services.TheClock(), invocation.stop);
    return ExitCode::kDone;
  }
  RETURN_IF_ERROR(Work(invocation, flags, device, *jobs, *runs));
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
      .Check(ParseListen, "HOST:PORT");
  command.Option("--token-file", flags->token_file,
                 "File whose first line callers must know");
  command
      .Option("--parallel", flags->parallel,
              "Jobs at once on this device (default 1)")
      .Within(1, 256);
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
