#include "adapters/docker/docker_api.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/docker/engine_json.h"
#include "adapters/docker/output_frames.h"
#include "adapters/docker/pull_progress.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr HttpPatience kForEver{.silence = std::nullopt};

std::string Container(const std::string& id, const char* rest) {
  return "/containers/" + PercentEncode(id) + rest;
}

std::string Filters(const Json& filters) {
  return PercentEncode(filters.dump());
}

Status ToStatus(const Result<HttpResponse>& response) {
  if (!response.ok()) return response.error();
  if (!response->ok()) return EngineError(response->status, response->body);
  return {};
}

}  // namespace

Result<Json> DockerApi::Get(const std::string& target,
                            std::stop_token stop) const {
  auto response = client_.Send({.target = target}, patience_, std::move(stop));
  RETURN_IF_ERROR(ToStatus(response));
  return ParseJson(response->body);
}

Result<HttpResponse> DockerApi::Post(const std::string& target,
                                     const Json* body) const {
  HttpRequest request{.method = "POST", .target = target};
  if (body != nullptr) {
    request.fields["content-type"] = "application/json";
    request.body = body->dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  auto response = client_.Send(request, patience_);
  RETURN_IF_ERROR(ToStatus(response));
  return response;
}

Result<EngineFacts> DockerApi::Facts(std::stop_token stop) const {
  ASSIGN_OR_RETURN(Json version, Get("/version", stop));
  ASSIGN_OR_RETURN(Json info, Get("/info", std::move(stop)));
  return ParseEngineFacts(version, info);
}

Result<ImageDetails> DockerApi::Image(const std::string& reference,
                                      std::stop_token stop) const {
  // The reference is part of the path, including its slashes.
  ASSIGN_OR_RETURN(
      Json json,
      Get("/images/" + EncodeReference(reference) + "/json", std::move(stop)));
  return ParseImage(json);
}

Status DockerApi::Pull(const std::string& reference,
                       const std::function<void(const std::string&)>& progress,
                       std::stop_token stop) const {
  ImageReference parts = SplitReference(reference);
  std::string target =
      fmt::format("/images/create?fromImage={}&tag={}",
                  PercentEncode(parts.name), PercentEncode(parts.version));
  PullProgress lines(progress);
  auto response = client_.Stream(
      {.method = "POST", .target = target},
      [&](std::string_view piece) {
        lines.Take(piece);
        return true;
      },
      patience_, std::move(stop));
  RETURN_IF_ERROR(ToStatus(response));
  return lines.status();
}

Result<CreatedContainer> DockerApi::Create(const Json& config) const {
  ASSIGN_OR_RETURN(HttpResponse response, Post("/containers/create", &config));
  ASSIGN_OR_RETURN(Json json, ParseJson(response.body));
  return ParseCreated(json);
}

Status DockerApi::Start(const std::string& id) const {
  auto started = Post(Container(id, "/start"));
  if (!started.ok()) return started.error();
  return {};
}

Result<ContainerState> DockerApi::Inspect(const std::string& id) const {
  ASSIGN_OR_RETURN(Json json, Get(Container(id, "/json")));
  return ParseState(json);
}

Result<Json> DockerApi::Describe(const std::string& id) const {
  return Get(Container(id, "/json"));
}

Status DockerApi::Update(const std::string& id, const Json& limits) const {
  auto updated = Post(Container(id, "/update"), &limits);
  if (!updated.ok()) return updated.error();
  return {};
}

Status DockerApi::Pause(const std::string& id) const {
  auto paused = Post(Container(id, "/pause"));
  if (!paused.ok()) return paused.error();
  return {};
}

Status DockerApi::Unpause(const std::string& id) const {
  auto resumed = Post(Container(id, "/unpause"));
  if (!resumed.ok()) return resumed.error();
  return {};
}

Status DockerApi::AwaitEnd(const std::string& id, std::stop_token stop) const {
  return ToStatus(
      client_.Send({.method = "POST", .target = Container(id, "/wait")},
                   kForEver, std::move(stop)));
}

Status DockerApi::Logs(const std::string& id,
                       const std::function<void(std::string_view)>& output,
                       std::stop_token stop) const {
  return ReadLogs(Container(id, "/logs?follow=true&stdout=true&stderr=true"),
                  output, std::move(stop));
}

Status DockerApi::WrittenLogs(
    const std::string& id,
    const std::function<void(std::string_view)>& output) const {
  return ReadLogs(Container(id, "/logs?stdout=true&stderr=true"), output, {});
}

Status DockerApi::ReadLogs(const std::string& target,
                           const std::function<void(std::string_view)>& output,
                           std::stop_token stop) const {
  OutputFrames frames;
  Status failure;
  auto response = client_.Stream(
      {.target = target},
      [&](std::string_view piece) {
        auto text = frames.Take(piece);
        if (!text.ok()) {
          failure = text.error();
          return false;
        }
        if (!text->empty()) output(*text);
        return true;
      },
      kForEver, std::move(stop));
  RETURN_IF_ERROR(ToStatus(response));
  return failure;
}

Result<Json> DockerApi::Stats(const std::string& id) const {
  return Get(Container(id, "/stats?stream=false&one-shot=true"));
}

Result<uint64_t> DockerApi::OutOfMemoryEvents(const std::string& id) const {
  // Without an end time the engine would wait for future events.
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  std::string target =
      fmt::format("/events?since=0&until={}&filters={}", seconds + 1,
                  Filters({{"container", {id}}, {"event", {"oom"}}}));
  auto response = client_.Send({.target = target}, patience_);
  RETURN_IF_ERROR(ToStatus(response));
  return std::ranges::count(response->body, '\n');
}

Status DockerApi::Signal(const std::string& id,
                         const std::string& signal) const {
  auto sent = Post(Container(id, "/kill?signal=") + PercentEncode(signal));
  if (!sent.ok()) return sent.error();
  return {};
}

Status DockerApi::Remove(const std::string& id, std::stop_token stop) const {
  Status removed = ToStatus(client_.Send(
      {.method = "DELETE", .target = Container(id, "?force=true&v=true")},
      patience_, std::move(stop)));
  bool gone = !removed.ok() && removed.error().code() == ErrorCode::kNotFound;
  return gone ? Status() : removed;
}

Result<std::vector<OwnedContainer>> DockerApi::Owned(
    const std::string& label, std::stop_token stop) const {
  ASSIGN_OR_RETURN(Json json, Get("/containers/json?all=true&filters=" +
                                      Filters({{"label", {label}}}),
                                  std::move(stop)));
  return ParseOwned(json, label);
}

}  // namespace mete
