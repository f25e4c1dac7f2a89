#include "adapters/kubernetes/kubeconfig.h"

#include <fmt/format.h>

#include <functional>

#include "support/base64.h"
#include "support/yaml.h"

namespace mete {
namespace {

using Kind = YamlValue::Kind;

// The value of a key; null when it is missing or the map is none.
const YamlValue* Find(const YamlValue& map, std::string_view key) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.key == key && entry.value.kind != Kind::kNothing) {
      return &entry.value;
    }
  }
  return nullptr;
}

Result<std::string> TextAt(const YamlValue& map, std::string_view key) {
  const YamlValue* value = Find(map, key);
  if (value == nullptr) return std::string();
  if (value->kind != Kind::kText) {
    return value->Fail(fmt::format("'{}' must be a single value", key));
  }
  return value->text;
}

Result<bool> TruthAt(const YamlValue& map, std::string_view key) {
  ASSIGN_OR_RETURN(std::string text, TextAt(map, key));
  if (text == "true") return true;
  if (text.empty() || text == "false") return false;
  return Find(map, key)->Fail(fmt::format("'{}' must be true or false", key));
}

Result<std::filesystem::path> FileAt(const YamlValue& map, std::string_view key,
                                     const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(std::string text, TextAt(map, key));
  if (text.empty()) return std::filesystem::path();
  return folder / text;
}

// "NAME" is a file, "NAME-data" the same in base64, which wins.
Result<KubePem> PemAt(const YamlValue& map, const std::string& name,
                      const std::filesystem::path& folder) {
  KubePem pem;
  ASSIGN_OR_RETURN(std::string data, TextAt(map, name + "-data"));
  if (!data.empty()) {
    auto decoded = DecodeBase64(data);
    if (!decoded) {
      return Find(map, name + "-data")
          ->Fail(fmt::format("'{}-data' is not base64", name));
    }
    pem.text = *std::move(decoded);
    return pem;
  }
  ASSIGN_OR_RETURN(pem.file, FileAt(map, name, folder));
  return pem;
}

Result<KubeCluster> ReadCluster(const YamlValue& value,
                                const std::filesystem::path& folder) {
  KubeCluster cluster;
  ASSIGN_OR_RETURN(cluster.server, TextAt(value, "server"));
  ASSIGN_OR_RETURN(cluster.ca, PemAt(value, "certificate-authority", folder));
  ASSIGN_OR_RETURN(cluster.server_name, TextAt(value, "tls-server-name"));
  ASSIGN_OR_RETURN(cluster.skip_verification,
                   TruthAt(value, "insecure-skip-tls-verify"));
  ASSIGN_OR_RETURN(cluster.proxy, TextAt(value, "proxy-url"));
  return cluster;
}

Status ReadExecEnvironment(const YamlValue& list, KubeExec& exec) {
  for (const YamlValue& item : list.items) {
    ASSIGN_OR_RETURN(std::string name, TextAt(item, "name"));
    ASSIGN_OR_RETURN(std::string value, TextAt(item, "value"));
    if (name.empty()) return item.Fail("a variable has no name");
    exec.environment[name] = value;
  }
  return {};
}

Result<KubeExec> ReadExec(const YamlValue& value,
                          const std::filesystem::path& folder) {
  KubeExec exec;
  ASSIGN_OR_RETURN(exec.api_version, TextAt(value, "apiVersion"));
  ASSIGN_OR_RETURN(exec.command, TextAt(value, "command"));
  if (exec.command.empty()) return value.Fail("'exec' has no command");
  // Only a path, not a name, is relative to the folder.
  if (exec.command.find('/') != std::string::npos) {
    exec.command = (folder / exec.command).string();
  }
  if (const YamlValue* arguments = Find(value, "args")) {
    ASSIGN_OR_RETURN(exec.arguments, YamlTexts(*arguments));
  }
  if (const YamlValue* variables = Find(value, "env")) {
    RETURN_IF_ERROR(ReadExecEnvironment(*variables, exec));
  }
  ASSIGN_OR_RETURN(exec.provide_cluster_info,
                   TruthAt(value, "provideClusterInfo"));
  ASSIGN_OR_RETURN(exec.install_hint, TextAt(value, "installHint"));
  return exec;
}

Result<KubeUser> ReadUser(const YamlValue& value,
                          const std::filesystem::path& folder) {
  KubeUser user;
  ASSIGN_OR_RETURN(user.certificate,
                   PemAt(value, "client-certificate", folder));
  ASSIGN_OR_RETURN(user.key, PemAt(value, "client-key", folder));
  ASSIGN_OR_RETURN(user.token, TextAt(value, "token"));
  ASSIGN_OR_RETURN(user.token_file, FileAt(value, "tokenFile", folder));
  ASSIGN_OR_RETURN(user.username, TextAt(value, "username"));
  ASSIGN_OR_RETURN(user.password, TextAt(value, "password"));
  if (const YamlValue* exec = Find(value, "exec")) {
    ASSIGN_OR_RETURN(user.exec, ReadExec(*exec, folder));
  }
  if (const YamlValue* provider = Find(value, "auth-provider")) {
    ASSIGN_OR_RETURN(user.auth_provider, TextAt(*provider, "name"));
  }
  return user;
}

Result<KubeContext> ReadContext(const YamlValue& value,
                                const std::filesystem::path& /*folder*/) {
  KubeContext context;
  ASSIGN_OR_RETURN(context.cluster, TextAt(value, "cluster"));
  ASSIGN_OR_RETURN(context.user, TextAt(value, "user"));
  ASSIGN_OR_RETURN(context.space, TextAt(value, "namespace"));
  return context;
}

// A list of {name: …, KEY: {…}}, such as "clusters" with the key "cluster".
template <typename Entry>
Status ReadNamed(const YamlValue& file, const std::string& key,
                 const std::filesystem::path& folder,
                 Result<Entry> (*read)(const YamlValue&,
                                       const std::filesystem::path&),
                 std::map<std::string, Entry>& entries) {
  const YamlValue* list = Find(file, key + "s");
  if (list == nullptr) return {};
  if (list->kind != Kind::kList) {
    return list->Fail(fmt::format("'{}s' must be a list", key));
  }
  for (const YamlValue& item : list->items) {
    ASSIGN_OR_RETURN(std::string name, TextAt(item, "name"));
    if (name.empty()) return item.Fail(fmt::format("a {} has no name", key));
    const YamlValue* content = Find(item, key);
    ASSIGN_OR_RETURN(
        Entry entry,
        read(content == nullptr ? YamlValue{.where = item.where} : *content,
             folder));
    entries.emplace(name, std::move(entry));
  }
  return {};
}

}  // namespace

Result<Kubeconfig> ParseKubeconfig(const std::string& text,
                                   const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file.string()));
  Kubeconfig config;
  if (root.kind == Kind::kNothing) return config;
  if (root.kind != Kind::kMap) return root.Fail("not a kubeconfig file");
  const std::filesystem::path folder = file.parent_path();
  ASSIGN_OR_RETURN(config.current_context, TextAt(root, "current-context"));
  RETURN_IF_ERROR(
      ReadNamed(root, "cluster", folder, &ReadCluster, config.clusters));
  RETURN_IF_ERROR(ReadNamed(root, "user", folder, &ReadUser, config.users));
  RETURN_IF_ERROR(
      ReadNamed(root, "context", folder, &ReadContext, config.contexts));
  return config;
}

void MergeKubeconfig(Kubeconfig& first, const Kubeconfig& next) {
  if (first.current_context.empty()) {
    first.current_context = next.current_context;
  }
  first.clusters.insert(next.clusters.begin(), next.clusters.end());
  first.users.insert(next.users.begin(), next.users.end());
  first.contexts.insert(next.contexts.begin(), next.contexts.end());
}

}  // namespace mete
