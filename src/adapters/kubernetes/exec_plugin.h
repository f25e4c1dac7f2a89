// Credentials printed by a program (client.authentication.k8s.io), as cloud
// providers use them.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "adapters/kubernetes/cluster_access.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// What a program printed. Either a token, or a certificate with its key, or
// both.
struct ExecCredential {
  std::string token;
  std::string certificate_pem;
  std::string key_pem;
  std::optional<std::chrono::system_clock::time_point> expires;
};

// Versions v1 and v1beta1; the answer must have the version that was asked for.
Result<ExecCredential> ParseExecCredential(std::string_view text,
                                           const std::string& api_version);

// Runs the program. Fails with kNotFound when it does not exist, with
// kPermissionDenied and its own words when it fails, with kTimeout after a
// minute.
Result<ExecCredential> RunExecPlugin(const ClusterAccess& access, Clock& clock,
                                     const std::stop_token& stop);

}  // namespace mete
