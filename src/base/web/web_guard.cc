#include "web/web_guard.h"

#include <tuple>

namespace mete {
namespace {

constexpr std::chrono::seconds kReloadEvery{1};

auto Parts(const HttpServerTls& tls) {
  return std::tie(tls.cert_file, tls.key_file, tls.client_ca_file,
                  tls.client_auth, tls.min_version, tls.max_version,
                  tls.cipher_suites, tls.prefer_server_ciphers, tls.curves);
}

bool Same(const std::optional<HttpServerTls>& a,
          const std::optional<HttpServerTls>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return Parts(*a) == Parts(*b);
}

}  // namespace

Result<std::unique_ptr<WebGuard>> WebGuard::Open(WebGuardRequest request,
                                                 const Clock& clock) {
  std::unique_ptr<WebGuard> guard(new WebGuard(std::move(request), clock));
  guard->seen_ = ReadFileStamp(guard->request_.file);
  guard->looked_ = clock.Now();
  ASSIGN_OR_RETURN(WebConfig config, guard->Read());
  guard->tls_ = config.tls;
  guard->rules_ = std::make_shared<Rules>(std::move(config), clock);
  return guard;
}

Result<WebConfig> WebGuard::Read() const {
  ASSIGN_OR_RETURN(WebConfig config, ReadWebConfig(request_.file));
  if (!config.users.empty() && !request_.no_users.empty()) {
    return Unsupported(request_.file.string() +
                       ": basic_auth_users: " + request_.no_users);
  }
  return config;
}

bool WebGuard::requires_certificates() const {
  return tls_ && tls_->client_auth == TlsClientAuth::kRequireAndVerify;
}

std::optional<HttpServerTls> WebGuard::tls() const {
  std::optional<HttpServerTls> tls = tls_;
  if (tls) tls->warn = request_.warn;
  return tls;
}

HttpReply WebGuard::Answer(const HttpRequest& request,
                           const HttpHandler& next) {
  std::shared_ptr<Rules> rules = Current();
  std::optional<HttpReply> refusal = rules->auth.Refuse(request);
  HttpReply reply = refusal ? *std::move(refusal) : next(request);
  for (const auto& [name, value] : rules->config.headers) {
    reply.response.fields.insert_or_assign(name, value);
  }
  return reply;
}

std::shared_ptr<WebGuard::Rules> WebGuard::Current() {
  auto now = clock_.Now();
  {
    std::lock_guard lock(mutex_);
    if (now - looked_ < kReloadEvery) return rules_;
    looked_ = now;  // other requests in this second use the old rules
  }
  Reread();
  std::lock_guard lock(mutex_);
  return rules_;
}

void WebGuard::Reread() {
  FileStamp stamp = ReadFileStamp(request_.file);
  {
    std::lock_guard lock(mutex_);
    if (stamp == seen_) return;
    seen_ = stamp;
  }
  auto config = Read();
  if (config.ok() && config->blank) {
    // Editors truncate a file before they write it. That must not disable
    // authentication.
    config = InvalidInput(
        "the file is empty; start without --web-config to disable the rules");
  }
  if (!config.ok()) {
    request_.warn("the new web configuration is not used: " +
                  config.error().message());
    return;
  }
  if (!Same(config->tls, tls_)) {
    request_.warn(
        "tls_server_config has changed: it takes effect at the next start");
  }
  auto rules = std::make_shared<Rules>(*std::move(config), clock_);
  std::lock_guard lock(mutex_);
  rules_ = std::move(rules);
}

}  // namespace mete
