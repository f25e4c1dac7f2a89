#include "config/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/settings_file.h"
#include "support/nearest.h"
#include "support/parse_number.h"

namespace mete {
namespace {

Status Anything(const std::string&) { return {}; }

Status CheckOutput(const std::string& value) {
  const std::vector<std::string> kinds = {"table", "json", "csv"};
  for (const std::string& kind : kinds) {
    if (value == kind) return {};
  }
  return InvalidInput(fmt::format("'{}' is not table, json or csv{}", value,
                                  DidYouMean(value, kinds)));
}

Status CheckStore(const std::string& value) {
  if (value.starts_with("sqlite:") && value != "sqlite:") return {};
  if (value.starts_with("postgres://") || value.starts_with("postgresql://")) {
    return Unsupported(
        "PostgreSQL stores are not built in yet; use sqlite:PATH");
  }
  return InvalidInput(fmt::format(
      "'{}' is not a store; write it like sqlite:/path/mete.db", value));
}

Status CheckFolder(const std::string& value) {
  if (!value.empty()) return {};
  return InvalidInput("expected a folder");
}

Status CheckOpenness(const std::string& value) {
  if (value == "loopback" || value == "true" || value == "false") return {};
  return InvalidInput(
      fmt::format("'{}' is not loopback, true or false", value));
}

Status CheckTruth(const std::string& value) {
  if (value == "true" || value == "false") return {};
  return InvalidInput(fmt::format("'{}' is not true or false", value));
}

Status CheckBytes(const std::string& value) {
  auto bytes = ParseBytes(value);
  return bytes.ok() ? Status() : Status(bytes.error());
}

Status CheckThreads(const std::string& value) {
  bool digits = !value.empty() && value.size() <= 4 &&
                value.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) {
    return InvalidInput(fmt::format(
        "'{}' is not a number of threads (0 means one per core)", value));
  }
  return {};
}

Status CheckRate(const std::string& value) {
  RETURN_IF_ERROR(ParseRequestRate(value));
  return {};
}

std::filesystem::path XdgFolder(const EnvironmentLookup& environment,
                                const std::string& variable,
                                const char* below_home) {
  // The XDG specification: a relative path in the variable is ignored.
  if (auto folder = environment(variable);
      folder && std::filesystem::path(*folder).is_absolute()) {
    return std::filesystem::path(*folder) / "mete";
  }
  // Without a home folder, the system's own: never one that everybody can
  // write to.
  auto home = environment("HOME");
  if (!home) return "/var/lib/mete";
  return std::filesystem::path(*home) / below_home / "mete";
}

}  // namespace

Status CheckRatio(const std::string& value) {
  ASSIGN_OR_RETURN(double ratio, ParseRatio(value));
  if (ratio <= 0 || ratio >= 1) {
    std::string hint = ratio >= 1 && ratio < 100 && !value.ends_with('%')
                           ? fmt::format("; did you mean {}%?", value)
                           : "";
    return InvalidInput(
        fmt::format("'{}' is not between 0 % and 100 %{}", value, hint));
  }
  return {};
}

Status CheckDuration(const std::string& value) {
  ASSIGN_OR_RETURN(Seconds duration, ParseDuration(value));
  if (duration.count() <= 0) {
    return InvalidInput(fmt::format("'{}': duration must be positive", value));
  }
  return {};
}

Result<double> ParseRequestRate(const std::string& value) {
  auto rate = ParseNumber<double>(value);
  if (rate && *rate >= 0 && *rate <= 1e6) return *rate;
  return InvalidInput(fmt::format(
      "'{}' is not a number of requests per second (0 means no limit)", value));
}

const std::vector<SettingRule>& Settings::Rules() {
  static const std::vector<SettingRule> kRules = {
      {"store", "METE_STORE",
       "database of runs, devices, jobs and sweeps: sqlite:PATH", "",
       CheckStore},
      {"state", "METE_STATE",
       "folder of run files, predictors, uploads, tokens and audit logs", "",
       CheckFolder},
      {"output", "METE_OUTPUT", "table, json or csv", "table", CheckOutput},
      {"onnxruntime", "METE_ONNXRUNTIME",
       "path of libonnxruntime.so (default: search)", "", Anything},
      {"nvml", "METE_NVML", "path of libnvidia-ml.so.1 (default: search)", "",
       Anything},
      {"prometheus.url", "METE_PROMETHEUS",
       "URL of the Prometheus that monitors the nodes", "", Anything},
      {"prometheus.bearer_token_file", "METE_PROMETHEUS_BEARER_TOKEN_FILE",
       "file with the Prometheus bearer token", "", Anything},
      {"prometheus.username", "METE_PROMETHEUS_USERNAME",
       "user name for HTTP basic auth", "", Anything},
      {"prometheus.password_file", "METE_PROMETHEUS_PASSWORD_FILE",
       "file with the password for HTTP basic auth", "", Anything},
      {"prometheus.ca_file", "METE_PROMETHEUS_CA_FILE",
       "CA certificates for https (default: the system's)", "", Anything},
      {"prometheus.load_window", "METE_PROMETHEUS_LOAD_WINDOW",
       "window for average CPU load; at least two scrapes", "1m",
       CheckDuration},
      {"kubernetes.kubeconfig", "METE_KUBERNETES_KUBECONFIG",
       "kubeconfig file (default: KUBECONFIG, ~/.kube/config)", "", Anything},
      {"kubernetes.context", "METE_KUBERNETES_CONTEXT",
       "context of that file (default: its current one)", "", Anything},
      {"kubernetes.namespace", "METE_KUBERNETES_NAMESPACE",
       "namespace of mete's Jobs (default: the context's)", "", Anything},
      {"kubernetes.insecure", "METE_KUBERNETES_INSECURE",
       "accept clusters with insecure-skip-tls-verify", "false", CheckTruth},
      {"kubernetes.gpu_resource", "METE_KUBERNETES_GPU_RESOURCE",
       "resource that stands for a GPU", "nvidia.com/gpu", Anything},
      {"kubernetes.start_timeout", "METE_KUBERNETES_START_TIMEOUT",
       "how long a pod may take to start, image pull included", "10m",
       CheckDuration},
      {"serve.listen", "METE_SERVE_LISTEN", "address and port of the HTTP API",
       "127.0.0.1:7001", Anything},
      {"serve.token_file", "METE_SERVE_TOKEN_FILE",
       "file with the token of the HTTP API", "", Anything},
      {"serve.web_config", "METE_SERVE_WEB_CONFIG",
       "web configuration file of the HTTP API: TLS, headers", "", Anything},
      {"serve.open_prediction", "METE_SERVE_OPEN_PREDICTION",
       "predict without token: loopback, true (anywhere), false", "loopback",
       CheckOpenness},
      {"serve.node_ttl", "METE_SERVE_NODE_TTL", "how long to cache node data",
       "5s", CheckDuration},
      {"serve.rate_limit", "METE_SERVE_RATE_LIMIT",
       "requests per second of one client; 0: no limit", "200", CheckRate},
      {"serve.hosts", "METE_SERVE_HOSTS",
       "names to answer to on loopback besides localhost: a.org,b.org", "",
       Anything},
      {"serve.upload_folder", "METE_SERVE_UPLOAD_FOLDER",
       "folder for uploaded models (default: in the state folder)", "",
       Anything},
      {"serve.upload_limit", "METE_SERVE_UPLOAD_LIMIT",
       "maximum size of one upload", "256Mi", CheckBytes},
      {"serve.upload_space", "METE_SERVE_UPLOAD_SPACE",
       "maximum size of all uploads together", "4Gi", CheckBytes},
      {"serve.control", "METE_SERVE_CONTROL",
       "rules of the controller inside mete serve", "", Anything},
      {"serve.control_act", "METE_SERVE_CONTROL_ACT",
       "let that controller act: true, or false for a dry run", "false",
       CheckTruth},
      {"measure.until", "METE_MEASURE_UNTIL",
       "stop when the median is this precise", "2%", CheckRatio},
      {"measure.max_duration", "METE_MEASURE_MAX_DURATION",
       "time limit of a measurement", "60s", CheckDuration},
      {"measure.threads", "METE_MEASURE_THREADS",
       "threads of the engine; 0: one per core", "0", CheckThreads},
  };
  return kRules;
}

Result<Settings> Settings::Load(const SettingSources& sources) {
  Settings settings;
  for (const SettingRule& rule : Rules()) {
    settings.values_[rule.key] = {.value = rule.default_value};
  }
  settings.values_["state"].value =
      XdgFolder(sources.environment, "XDG_STATE_HOME", ".local/state").string();

  ASSIGN_OR_RETURN(SettingsFile file, ReadSettingsFile(sources));
  settings.file_ = file.path;
  for (const auto& [key, setting] : file.values)
    settings.values_[key] = setting;

  // PEPPER's variable: host and port, always without TLS.
  if (auto place = sources.environment("PROMETHEUS_IP")) {
    settings.values_["prometheus.url"] = {.value = "http://" + *place,
                                          .origin = Origin::kEnvironment,
                                          .where = "PROMETHEUS_IP"};
  }
  for (const SettingRule& rule : Rules()) {
    auto value = sources.environment(rule.environment);
    if (!value) continue;
    RETURN_IF_ERROR(rule.check(*value).While(rule.environment));
    settings.values_[rule.key] = {.value = *value,
                                  .origin = Origin::kEnvironment,
                                  .where = rule.environment};
  }
  settings.DeriveStore();
  return settings;
}

Status Settings::SetFlag(const std::string& key, const std::string& value) {
  for (const SettingRule& rule : Rules()) {
    if (rule.key != key) continue;
    RETURN_IF_ERROR(rule.check(value));
    values_[key] = {.value = value, .origin = Origin::kFlag, .where = ""};
    DeriveStore();
    return {};
  }
  CHECK(false) << "unknown setting " << key;
  return {};
}

void Settings::DeriveStore() {
  Setting& store = values_["store"];
  if (store.origin != Origin::kDefault) return;
  store.value = "sqlite:" + (StateFolder(*this) / "mete.db").string();
}

const Setting& Settings::Get(const std::string& key) const {
  auto found = values_.find(key);
  CHECK(found != values_.end()) << "unknown setting " << key;
  return found->second;
}

const std::string& Settings::Text(const std::string& key) const {
  return Get(key).value;
}

std::vector<std::string> UnknownVariables(
    const std::vector<std::string>& names) {
  // Not settings but ours: set for measured applications, or the location of
  // the configuration file.
  std::vector<std::string> known = {"METE_CONFIG", "METE_DATASET",
                                    "METE_HOOK_SOCKET"};
  for (const SettingRule& rule : Settings::Rules()) {
    known.push_back(rule.environment);
  }
  std::vector<std::string> sentences;
  for (const std::string& name : names) {
    if (!name.starts_with("METE_") || name.starts_with("METE_TEST_")) continue;
    if (std::ranges::find(known, name) != known.end()) continue;
    sentences.push_back(fmt::format("unknown environment variable {}{}", name,
                                    DidYouMean(name, known)));
  }
  return sentences;
}

std::string ToString(Origin origin) {
  switch (origin) {
    case Origin::kDefault:
      return "default";
    case Origin::kFile:
      return "file";
    case Origin::kEnvironment:
      return "environment";
    case Origin::kFlag:
      return "flag";
  }
  return "";
}

std::filesystem::path StateFolder(const Settings& settings) {
  return settings.Text("state");
}

std::filesystem::path DefaultSettingsFile(
    const EnvironmentLookup& environment) {
  return XdgFolder(environment, "XDG_CONFIG_HOME", ".config") / "config.yaml";
}

}  // namespace mete
