// mete serve: the HTTP API, and a worker for the jobs it takes.
#include <fmt/format.h>

#include <memory>

#include "cli/jobs_command.h"
#include "cli/run_entropy.h"
#include "cli/serve_token.h"
#include "cli/verb.h"
#include "jobs/stale_jobs.h"
#include "net/http_server.h"
#include "serve/api.h"

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

// The token callers must know: the one in the file that is named; over TCP
// without one, a token of the server's own.
Result<std::string> TokenFor(Invocation& invocation, const Endpoint& listen,
                             const std::string& file) {
  if (!file.empty()) return ReadToken(file);
  if (listen.local()) return std::string();  // guarded by its file
  auto own = invocation.services.RunsFolder().parent_path() / "serve-token";
  ASSIGN_OR_RETURN(std::string token, ReadOrMakeToken(own));
  invocation.talk.Note(fmt::format(
      "callers need the token in {}:\n"
      "  curl -H \"Authorization: Bearer $(cat {})\" http://{}/api/v1/jobs",
      own.string(), own.string(), listen.Authority()));
  return token;
}

// Until Ctrl-C, while the server's threads answer.
void TendQueue(const Queue& queue, Clock& clock, std::stop_token stop) {
  StaleWatch stale(queue.store, queue.device_id, clock);
  while (clock.SleepFor(std::chrono::seconds(1), stop)) {
    static_cast<void>(stale.Look().ok());
  }
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
  Router router = MakeApi({.jobs = queue.store,
                           .clock = clock,
                           .device_id = queue.device_id,
                           .access = {.token = token},
                           .allow_privileged = flags.allow_privileged,
                           .entropy = &DrawRunEntropy});
  ASSIGN_OR_RETURN(auto server,
                   HttpServer::Start({.listen = listen},
                                     [&router](const HttpRequest& request) {
                                       return router.Route(request);
                                     }));
  invocation.talk.Note("listening on " + server->endpoint().Text());
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
