#include "apps/agent/agent_flags.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "agent/characterization_collector.h"
#include "agent/duration_bounds.h"
#include "net/endpoint.h"
#include "support/units.h"

namespace mete {
namespace {

// Returns a folder from the environment; absent if unset or empty.
std::optional<std::filesystem::path> FolderIn(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::filesystem::path UsualState() {
  // systemd sets this to the state folder of a service.
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

// Checks that a duration like "30s" is between two bounds.
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
              "Address and port to listen on (default 127.0.0.1:5001)")
      .Check(ParseListen, "ADDR:PORT");
  command
      .Option("--web-config", flags.web_config,
              "Prometheus web configuration file (TLS and passwords)")
      .Placeholder("FILE");
  command
      .Option("--node", flags.node,
              "Name of this node (default: $NODE_NAME or the host name)")
      .Placeholder("NAME");
  command
      .Option("--location", flags.location,
              "Location of this node, e.g. city=Athens,country=Greece")
      .Check(ParseLocation, "KEY=VALUE,...");
  command
      .Option("--max-age", flags.max_age,
              "How long to cache metrics (default 500ms)")
      .Check(Between("0s", "1h"), "DURATION");
  command
      .Option("--collector-timeout", flags.timeout,
              "Skip a collector that takes longer (default 2s)")
      .Check(Between("10ms", "60s"), "DURATION");
  command
      .Option("--hook-folder", flags.hook_folder,
              "Folder for the sockets of applications (default: /run/mete as "
              "root)")
      .Placeholder("DIR");
  command.Switch(
      "--hooks-for-all", flags.hooks_for_all,
      "Accept metrics from applications of all users and from containers");
  command.Switch("--no-hooks", flags.no_hooks,
                 "Do not receive metrics from applications");
  command
      .Option("--app-window", flags.app_window,
              "Time window for application rates and quantiles (default 10s)")
      .Check(Between("1s", "60s"), "DURATION");
  command
      .Option(
          "--app-expiry", flags.app_expiry,
          "Remove an application that is silent for this long (default 60s)")
      .Check(Between("1s", "24h"), "DURATION");
  command
      .Option("--buckets", flags.buckets,
              "Histogram bounds of application timers: 1ms,2ms,5ms or "
              "1ms:10s:20 (20 per factor of ten)")
      .Check(ParseDurationBounds, "BOUNDS");
  command.Switch(
      "--compat", flags.compat,
      "Also expose WaAP's metrics: app1_fps_value, TegraRAMUsage, …");
  command
      .Option("--root", flags.root,
              "Path of the host's root file system, for an agent in a "
              "container")
      .Placeholder("DIR");
  command
      .Option("--state", flags.state,
              "State folder (default: /var/lib/mete-agent as root, else "
              "~/.local/state/mete-agent)")
      .Placeholder("DIR");
  command.Option("--user", flags.user,
                 "User to switch to when started as root (default nobody)");
  command.Switch("--read-all", flags.read_all,
                 "Keep CAP_DAC_READ_SEARCH, to read container names");
  command
      .Option("--mete", flags.mete,
              "Program that measures the inference engine (default mete)")
      .Placeholder("FILE");
  Flag never = command.Switch(
      "--no-measure", flags.no_measure,
      "Do not measure the inference engine when the device is idle");
  command
      .Switch("--measure", flags.measure,
              "Measure the inference engine now, save the result and exit")
      .Excludes(never);
  command.Switch("--list-metrics", flags.list_metrics,
                 "Print all metrics with their meaning and exit");
}

void ChooseFolders(AgentFlags& flags) {
  if (flags.state.empty()) flags.state = UsualState().string();
  if (flags.hook_folder.empty()) {
    flags.hook_folder = UsualHooks(flags.state).string();
  }
}

}  // namespace mete
