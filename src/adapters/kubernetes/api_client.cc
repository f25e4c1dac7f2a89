#include "adapters/kubernetes/api_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/json.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::seconds kSilence{60};
constexpr size_t kLongestMessage = 2000;

nanoseconds ToNanoseconds(double seconds) {
  return std::chrono::duration_cast<nanoseconds>(Seconds(seconds));
}

bool WorthARetry(int status) {
  return status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

bool WorthARetry(const Error& error) {
  return error.code() == ErrorCode::kUnavailable ||
         error.code() == ErrorCode::kTimeout ||
         error.code() == ErrorCode::kCorrupt;
}

// Seconds; the form with a date is not used by API servers.
std::optional<nanoseconds> RetryAfter(const HttpResponse& response) {
  auto field = response.fields.find("retry-after");
  if (field == response.fields.end()) return std::nullopt;
  auto seconds = ParseNumber<int>(field->second);
  constexpr int kLongest = 120;
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::chrono::seconds(std::min(*seconds, kLongest));
}

struct ApiMessage {
  std::string reason;  // "AlreadyExists"
  std::string text;
};

// Of a Status object.
ApiMessage MessageOf(const ApiAnswer& answer) {
  ApiMessage message{.text = answer.body};
  if (auto json = ParseJson(answer.body); json.ok() && json->is_object()) {
    auto text = [&](const char* key) {
      auto found = json->find(key);
      bool usable = found != json->end() && found->is_string();
      return usable ? found->get<std::string>() : std::string();
    };
    message.reason = text("reason");
    message.text = text("message");
  }
  message.text = Tame(message.text, kLongestMessage);
  while (!message.text.empty() && message.text.back() == '\n') {
    message.text.pop_back();
  }
  if (message.text.empty())
    message.text = fmt::format("status {}", answer.status);
  return message;
}

}  // namespace

nanoseconds ApiThrottle::Take(nanoseconds now) {
  if (pace_.per_second <= 0) return nanoseconds(0);
  const double passed = Seconds(now - filled_).count();
  tokens_ = std::min(pace_.burst, tokens_ + passed * pace_.per_second);
  filled_ = now;
  tokens_ -= 1;
  if (tokens_ >= 0) return nanoseconds(0);
  return ToNanoseconds(-tokens_ / pace_.per_second);
}

nanoseconds ApiThrottle::Wait(int attempt, std::optional<nanoseconds> asked) {
  constexpr int kMostDoublings = 20;
  double wait = Seconds(pace_.first_wait).count() *
                std::pow(2.0, std::min(attempt, kMostDoublings));
  wait = std::min(wait, Seconds(pace_.longest_wait).count());
  const nanoseconds own = ToNanoseconds(wait * (0.5 + 0.5 * random_.Uniform()));
  if (!asked) return own;
  // Not all clients at the same moment.
  return *asked + ToNanoseconds(0.1 * wait * random_.Uniform());
}

ApiClient::ApiClient(ClusterAccess access, Clock& clock, ApiPace pace,
                     uint64_t seed)
    : access_(std::move(access)),
      clock_(clock),
      pace_(pace),
      credentials_(access_, clock),
      throttle_(pace, seed) {}

bool ApiClient::Pause(int attempt, std::stop_token stop,
                      std::optional<nanoseconds> asked) {
  nanoseconds wait{0};
  {
    std::lock_guard lock(mutex_);
    wait = throttle_.Wait(attempt, asked);
  }
  return clock_.SleepFor(wait, std::move(stop));
}

Result<HttpResponse> ApiClient::Attempt(const ApiRequest& request,
                                        const HttpSink* sink,
                                        const HttpPatience& patience,
                                        const std::stop_token& stop) {
  nanoseconds wait{0};
  {
    std::lock_guard lock(mutex_);
    wait = throttle_.Take(clock_.Now());
  }
  if (wait.count() > 0 && !clock_.SleepFor(wait, stop)) {
    return Error(ErrorCode::kInterrupted, "interrupted");
  }
  ASSIGN_OR_RETURN(Login login, credentials_.Current(stop));
  HttpRequest sent{.method = request.method,
                   .target = access_.server.path + request.target,
                   .fields = {{"accept", "application/json"}},
                   .body = request.body};
  if (!request.content_type.empty()) {
    sent.fields["content-type"] = request.content_type;
  }
  if (!login.authorization.empty()) {
    sent.fields["authorization"] = login.authorization;
  }
  HttpClient client(access_.server.endpoint, std::move(login.trust));
  if (sink != nullptr) return client.Stream(sent, *sink, patience, stop);
  return client.Send(sent, patience, stop);
}

Result<ApiAnswer> ApiClient::Send(const ApiRequest& request,
                                  std::stop_token stop) {
  const nanoseconds end = clock_.Now() + pace_.retry_for;
  bool logged_in_again = false;
  for (int attempt = 0;; ++attempt) {
    auto response =
        Attempt(request, nullptr,
                {.silence = kSilence, .whole = pace_.longest_exchange}, stop);
    std::optional<nanoseconds> asked;
    if (response.ok()) {
      if (response->status == 401 && !logged_in_again) {
        logged_in_again = true;
        credentials_.Forget();
        continue;
      }
      if (!WorthARetry(response->status) || clock_.Now() >= end) {
        return ApiAnswer{response->status, std::move(response->body)};
      }
      asked = RetryAfter(*response);
    } else if (!WorthARetry(response.error()) || clock_.Now() >= end) {
      return response.error();
    }
    if (!Pause(attempt, stop, asked)) {
      return Error(ErrorCode::kInterrupted, "interrupted");
    }
  }
}

Result<ApiAnswer> ApiClient::Stream(const ApiRequest& request,
                                    const HttpSink& sink,
                                    const HttpPatience& patience,
                                    std::stop_token stop) {
  ASSIGN_OR_RETURN(HttpResponse response,
                   Attempt(request, &sink, patience, stop));
  if (response.status == 401) credentials_.Forget();
  return ApiAnswer{response.status, std::move(response.body)};
}

Error ApiError(const ApiAnswer& answer, const std::string& act) {
  const std::string text = act + ": " + MessageOf(answer).text;
  switch (answer.status) {
    case 400:
    case 422:
      return InvalidInput(text);
    case 401:
    case 403:
      return Error(ErrorCode::kPermissionDenied, text);
    case 404:
    case 410:
      return NotFound(text);
    default:
      return Unavailable(text);
  }
}

Result<std::string> ApiBody(Result<ApiAnswer> answer, const std::string& act) {
  if (!answer.ok()) return answer.error().While(act);
  if (!answer->ok()) return ApiError(*answer, act);
  return std::move(answer->body);
}

bool AlreadyExists(const ApiAnswer& answer) {
  return answer.status == 409 && MessageOf(answer).reason == "AlreadyExists";
}

}  // namespace mete
