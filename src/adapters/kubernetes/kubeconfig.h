// Kubeconfig files: which clusters there are and how to log in to them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// A program that prints credentials (client.authentication.k8s.io).
struct KubeExec {
  std::string api_version;
  std::string command;  // absolute, or searched in PATH
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
  bool provide_cluster_info = false;
  std::string install_hint;  // shown when the program does not exist
  bool operator==(const KubeExec&) const = default;
};

// PEM text, or the file that contains it; both empty: not given.
struct KubePem {
  std::string text;
  std::filesystem::path file;
  bool given() const { return !text.empty() || !file.empty(); }
  bool operator==(const KubePem&) const = default;
};

// How to log in.
struct KubeUser {
  KubePem certificate;
  KubePem key;
  std::string token;
  std::filesystem::path token_file;  // read again regularly; before `token`
  std::string username;              // HTTP basic authentication
  std::string password;
  std::optional<KubeExec> exec;
  std::string auth_provider;  // removed from Kubernetes 1.26; unsupported
};

// An API server.
struct KubeCluster {
  std::string server;  // "https://10.0.0.1:6443"
  KubePem ca;
  std::string server_name;  // in its certificate, if not the host
  bool skip_verification = false;
  std::string proxy;
};

// A cluster, a user and a namespace.
struct KubeContext {
  std::string cluster;
  std::string user;
  std::string space;  // namespace; empty: "default"
};

// One or several kubeconfig files.
struct Kubeconfig {
  std::string current_context;
  std::map<std::string, KubeCluster> clusters;
  std::map<std::string, KubeUser> users;
  std::map<std::string, KubeContext> contexts;
};

// Parses the text of one file. Names of files in it are relative to its folder.
// Ignores unknown keys, as every client does. Fails with kInvalidInput and
// "FILE:LINE: …".
Result<Kubeconfig> ParseKubeconfig(const std::string& text,
                                   const std::filesystem::path& file);

// Adds what `first` does not have yet: the first file with a name wins.
void MergeKubeconfig(Kubeconfig& first, const Kubeconfig& next);

}  // namespace mete
