#include "adapters/webhook/webhook_notifier.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "net/endpoint.h"
#include "net/http_client.h"
#include "net/url_login.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr std::chrono::milliseconds kDeadline{2000};

Status Post(const Notice& notice, std::stop_token stop) {
  ASSIGN_OR_RETURN(LoginUrl login, SplitLogin(notice.url));
  ASSIGN_OR_RETURN(Url url, ParseUrl(login.url));
  HttpRequest request{
      .method = "POST",
      .target = url.path.empty() ? "/" : url.path,
      .fields = {{"content-type", "application/json"}},
      .body = notice.body.dump(-1, ' ', false, Json::error_handler_t::replace)};
  request.fields.merge(login.Fields());
  auto response = HttpClient(url.endpoint)
                      .Send(request, {.silence = kDeadline, .whole = kDeadline},
                            std::move(stop));
  if (!response.ok()) return response.error();
  if (response->ok()) return {};
  return Unavailable(fmt::format("{} responded with status {}",
                                 RedactUrl(notice.url), response->status));
}

}  // namespace

WebhookNotifier::WebhookNotifier()
    : thread_([this](std::stop_token stop) { Work(std::move(stop)); }) {}

WebhookNotifier::~WebhookNotifier() = default;

void WebhookNotifier::Send(Notice notice) {
  {
    std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMostWaiting) {
      ended_.push_back({.url = notice.url,
                        .about = notice.about,
                        .status = Unavailable("too many notices are queued")});
      return;
    }
    waiting_.push_back(std::move(notice));
  }
  wake_.notify_one();
}

std::vector<Delivery> WebhookNotifier::Ended() {
  std::lock_guard lock(mutex_);
  return std::exchange(ended_, {});
}

void WebhookNotifier::Work(std::stop_token stop) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
    Notice notice = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    Status status = Post(notice, stop);
    lock.lock();
    ended_.push_back({.url = notice.url,
                      .about = notice.about,
                      .status = std::move(status)});
  }
}

}  // namespace mete
