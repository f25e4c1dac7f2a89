#include "adapters/kubernetes/credentials.h"

#include <algorithm>

#include "adapters/kubernetes/exec_plugin.h"
#include "support/base64.h"
#include "support/file.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

// As in Kubernetes' own client: rotated files stay valid for longer than that.
constexpr std::chrono::minutes kFilesFor{1};
constexpr std::chrono::hours kExecFor{1};
constexpr std::chrono::seconds kBeforeExpiry{30};

Result<std::string> ReadPem(const KubePem& pem) {
  if (!pem.text.empty() || pem.file.empty()) return pem.text;
  return ReadFile(pem.file);
}

std::string Trimmed(std::string text) {
  while (!text.empty() &&
         (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

}  // namespace

Result<Login> Credentials::Current(const std::stop_token& stop) {
  std::lock_guard lock(mutex_);
  if (login_ && clock_.Now() < valid_until_) return *login_;
  valid_until_ = clock_.Now() + kFilesFor;
  auto made = Make(stop);
  if (!made.ok()) return made.error().While(access_.origin);
  login_ = *made;
  return made;
}

void Credentials::Forget() {
  std::lock_guard lock(mutex_);
  login_.reset();
}

Result<Login> Credentials::Make(const std::stop_token& stop) {
  const KubeCluster& cluster = access_.cluster;
  const KubeUser& user = access_.user;
  Login login;
  login.trust.server_name = cluster.server_name;
  login.trust.skip_verification = cluster.skip_verification;
  ASSIGN_OR_RETURN(login.trust.ca_pem, ReadPem(cluster.ca));
  ASSIGN_OR_RETURN(login.trust.certificate_pem, ReadPem(user.certificate));
  ASSIGN_OR_RETURN(login.trust.key_pem, ReadPem(user.key));
  std::string token = user.token;
  if (!user.token_file.empty()) {
    ASSIGN_OR_RETURN(token, ReadFile(user.token_file));
    token = Trimmed(std::move(token));
  }
  if (!token.empty()) {
    login.authorization = "Bearer " + token;
  } else if (!user.username.empty()) {
    login.authorization =
        "Basic " + EncodeBase64(user.username + ":" + user.password);
  } else if (user.exec) {
    RETURN_IF_ERROR(AddExec(login, stop));
  }
  return login;
}

Status Credentials::AddExec(Login& login, const std::stop_token& stop) {
  ASSIGN_OR_RETURN(ExecCredential made, RunExecPlugin(access_, clock_, stop));
  if (!made.token.empty()) login.authorization = "Bearer " + made.token;
  if (!made.certificate_pem.empty()) {
    login.trust.certificate_pem = std::move(made.certificate_pem);
    login.trust.key_pem = std::move(made.key_pem);
  }
  nanoseconds valid = kExecFor;
  if (made.expires) valid = *made.expires - clock_.Wall() - kBeforeExpiry;
  valid_until_ = clock_.Now() + std::max(valid, nanoseconds(0));
  return {};
}

}  // namespace mete
