#include "apps/agent/agent_flags.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "agent/characterization_collector.h"
#include "net/endpoint.h"
#include "support/units.h"

namespace mete {
namespace {

// Of the environment; absent when unset or empty.
std::optional<std::filesystem::path> FolderIn(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::filesystem::path UsualState() {
  // systemd's name for a service's own folder.
  if (auto folder = FolderIn("STATE_DIRECTORY")) return *folder;
  if (geteuid() == 0) return "/var/lib/mete-agent";
  if (auto folder = FolderIn("XDG_STATE_HOME")) return *folder / "mete-agent";
  // Services start without HOME.
  const passwd* user = getpwuid(geteuid());
  const std::filesystem::path own = user != nullptr ? user->pw_dir : "/";
  return FolderIn("HOME").value_or(own) / ".local/state/mete-agent";
}

std::filesystem::path UsualHooks(const std::filesystem::path& state) {
  if (auto folder = FolderIn("RUNTIME_DIRECTORY")) return *folder;
  if (geteuid() == 0) return "/run/mete";
  if (auto folder = FolderIn("XDG_RUNTIME_DIR")) return *folder / "mete";
  return state / "run";
}

// "30s" between two bounds; the check of a flag.
auto Between(const char* least, const char* most) {
  return [least, most](const std::string& text) -> Result<Seconds> {
    ASSIGN_OR_RETURN(Seconds given, ParseDuration(text));
    if (given >= *ParseDuration(least) && given <= *ParseDuration(most)) {
      return given;
    }
    return InvalidInput(
        fmt::format("'{}' is not between {} and {}", text, least, most));
  };
}

}  // namespace

void AddAgentFlags(Command command, AgentFlags& flags) {
  command
      .Option("--listen", flags.listen,
              "Address and port (default: 127.0.0.1:5001)")
      .Check(ParseListen, "ADDR:PORT");
  command.Option("--web-config", flags.web_config,
                 "TLS and passwords, as exporters take them");
  command.Option("--node", flags.node,
                 "Name of this node (default: $NODE_NAME, the host's)");
  command.Option("--location", flags.location, "city=Athens,country=Greece,…")
      .Check(ParseLocation, "PLACE");
  command
      .Option("--max-age", flags.max_age,
              "Answer from figures at most so old (500ms)")
      .Check(Between("0s", "1h"), "TIME");
  command
      .Option("--collector-timeout", flags.timeout,
              "Leave out a reader that takes longer (2s)")
      .Check(Between("10ms", "60s"), "TIME");
  command.Option("--hook-folder", flags.hook_folder,
                 "Where applications find the hook's sockets");
  command.Switch("--hooks-for-all", flags.hooks_for_all,
                 "Every user's applications may tell, containers' too");
  command.Switch("--no-hooks", flags.no_hooks, "Listen to no application");
  command
      .Option("--app-window", flags.app_window,
              "What applications' rates and quantiles are over")
      .Check(Between("1s", "60s"), "TIME");
  command
      .Option("--app-expiry", flags.app_expiry,
              "Forget an application silent for so long (60s)")
      .Check(Between("1s", "24h"), "TIME");
  command.Switch("--compat", flags.compat,
                 "Also app1_fps_value, TegraRAMUsage and their kin");
  command.Option("--root", flags.root,
                 "Where the device's / is, for an agent in a container");
  command.Option("--state", flags.state,
                 "What is kept (default: /var/lib/mete-agent)");
  command.Option("--user", flags.user,
                 "Whose rights remain when root starts it (nobody)");
  command.Switch("--read-all", flags.read_all,
                 "Keep root's right to read: for names of containers");
  command.Option("--mete", flags.mete,
                 "The program that measures the engine (default: mete)");
  Flag never = command.Switch("--no-measure", flags.no_measure,
                              "Do not measure the engine when idle");
  command
      .Switch("--measure", flags.measure,
              "Measure the engine now, keep the result and end")
      .Excludes(never);
  command.Switch("--list-metrics", flags.list_metrics,
                 "Print every metric with its meaning and end");
}

void ChooseFolders(AgentFlags& flags) {
  if (flags.state.empty()) flags.state = UsualState().string();
  if (flags.hook_folder.empty()) {
    flags.hook_folder = UsualHooks(flags.state).string();
  }
}

}  // namespace mete
