#include "web/basic_auth.h"

#include <crypt.h>
#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>

#include "support/base64.h"
#include "support/sha256.h"

namespace mete {
namespace {

constexpr size_t kHashLength = 60;
constexpr int kMostCost = 14;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsBcryptCharacter(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '.' || c == '/';
}

int ParseCost(std::string_view hash) {
  return (hash[4] - '0') * 10 + (hash[5] - '0');
}

// Returns a hash that no password matches. Checking it makes an unknown name
// take as long as a known one.
std::string Nobody(const BasicAuthUsers& users) {
  int cost = 4;
  for (const auto& [name, hash] : users) cost = std::max(cost, ParseCost(hash));
  return fmt::format("$2y${:02}${}", cost, std::string(53, '.'));
}

// Compares in constant time, so the time does not reveal a matching prefix.
bool Same(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool Matches(const std::string& hash, const std::string& password) {
  auto scratch = std::make_unique<crypt_data>();  // 32 KiB
  const char* computed = crypt_r(password.c_str(), hash.c_str(), scratch.get());
  bool same = computed != nullptr && Same(computed, hash);
  OPENSSL_cleanse(scratch.get(), sizeof *scratch);
  return same;
}

HttpReply Refusal(int status, std::string_view text) {
  HttpReply reply{.response = {.status = status, .body = std::string(text)}};
  reply.response.fields["content-type"] = "text/plain; charset=utf-8";
  return reply;
}

HttpReply Unauthorized() {
  HttpReply reply = Refusal(401, "Unauthorized\n");
  reply.response.fields["www-authenticate"] = "Basic";
  return reply;
}

HttpReply Busy() {
  HttpReply reply =
      Refusal(503, "another password is being checked; try again\n");
  reply.response.fields["retry-after"] = "1";
  return reply;
}

}  // namespace

Status CheckBcrypt(std::string_view hash) {
  bool shaped = hash.size() == kHashLength && hash.starts_with("$2") &&
                (hash[2] == 'a' || hash[2] == 'b' || hash[2] == 'y') &&
                hash[3] == '$' && IsDigit(hash[4]) && IsDigit(hash[5]) &&
                hash[6] == '$' &&
                std::ranges::all_of(hash.substr(7), &IsBcryptCharacter);
  if (!shaped || ParseCost(hash) < 4) {
    return InvalidInput(
        "not a bcrypt hash; create one with 'htpasswd -nBC 10 NAME'");
  }
  if (ParseCost(hash) > kMostCost) {
    return InvalidInput(
        fmt::format("a bcrypt cost of {} takes too long; the maximum is {}",
                    ParseCost(hash), kMostCost));
  }
  return {};
}

BasicAuth::BasicAuth(BasicAuthUsers users, const Clock& clock)
    : users_(std::move(users)), nobody_(Nobody(users_)), clock_(clock) {}

// Parses "Basic base64(name:password)". The scheme is not case-sensitive.
std::optional<BasicAuth::Attempt> BasicAuth::Parse(const HttpRequest& request) {
  auto field = request.fields.find("authorization");
  if (field == request.fields.end()) return std::nullopt;
  constexpr std::string_view kBasic = "basic ";
  std::string_view value = field->second;
  bool basic = std::ranges::equal(
      value.substr(0, kBasic.size()), kBasic,
      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
  if (!basic) return std::nullopt;
  auto decoded = DecodeBase64(value.substr(kBasic.size()));
  // crypt(3) would stop reading at a zero byte.
  if (!decoded || decoded->find('\0') != std::string::npos) return std::nullopt;
  size_t colon = decoded->find(':');
  if (colon == std::string::npos) return std::nullopt;
  return Attempt{.address = request.peer,
                 .name = decoded->substr(0, colon),
                 .password = decoded->substr(colon + 1)};
}

std::optional<HttpReply> BasicAuth::Refuse(const HttpRequest& request) {
  if (users_.empty()) return std::nullopt;
  auto attempt = Parse(request);
  if (!attempt) return Unauthorized();
  switch (Check(*attempt)) {
    case Verdict::kRight:
      return std::nullopt;
    case Verdict::kWrong:
      return Unauthorized();
    case Verdict::kBusy:
      break;
  }
  return Busy();
}

BasicAuth::Verdict BasicAuth::Check(const Attempt& attempt) {
  auto user = users_.find(attempt.name);
  const std::string& hash = user == users_.end() ? nobody_ : user->second;
  // The lengths keep "a" + "bc" and "ab" + "c" apart.
  std::string key = ComputeSha256(
      fmt::format("{} {} {}{}{}", attempt.name.size(), attempt.password.size(),
                  attempt.name, attempt.password, hash));
  if (Remembers(key)) return Verdict::kRight;
  Verdict verdict = Compute(attempt, hash);
  if (user == users_.end() && verdict == Verdict::kRight) {
    return Verdict::kWrong;
  }
  if (verdict == Verdict::kRight) Remember(key);
  return verdict;
}

BasicAuth::Verdict BasicAuth::Compute(const Attempt& attempt,
                                      const std::string& hash) {
  {
    std::lock_guard lock(mutex_);
    if (!MayTry(attempt.address)) return Verdict::kBusy;
    queued_.insert(attempt.address);
  }
  std::lock_guard one_at_a_time(computing_);
  auto begun = clock_.Now();
  bool right = Matches(hash, attempt.password);
  std::lock_guard lock(mutex_);
  queued_.erase(attempt.address);
  if (right) return Verdict::kRight;
  auto ended = clock_.Now();
  Pause(attempt.address, ended + 4 * (ended - begun));
  return Verdict::kWrong;
}

bool BasicAuth::MayTry(const std::string& address) {
  if (queued_.size() >= 1 + kMostQueued || queued_.contains(address)) {
    return false;
  }
  auto now = clock_.Now();
  std::erase_if(pauses_,
                [now](const auto& pause) { return pause.second <= now; });
  return !pauses_.contains(address) && pauses_.size() < kMostAddresses;
}

void BasicAuth::Pause(const std::string& address,
                      std::chrono::nanoseconds until) {
  pauses_[address] = until;
}

bool BasicAuth::Remembers(const std::string& key) {
  std::lock_guard lock(mutex_);
  return std::ranges::find(remembered_, key) != remembered_.end();
}

void BasicAuth::Remember(const std::string& key) {
  std::lock_guard lock(mutex_);
  if (remembered_.size() >= kMostRemembered) {
    remembered_.erase(remembered_.begin());
  }
  remembered_.push_back(key);
}

}  // namespace mete
