#include "serve/jenkins_api.h"

#include "measure/container_options.h"
#include "serve/reply.h"
#include "support/command_line.h"
#include "support/json.h"

namespace mete {
namespace {

using Parameters = std::map<std::string, std::string>;

constexpr std::string_view kBuild = "POST /job/{name}/buildWithParameters";

Parameters ReadParameters(const RoutedRequest& request) {
  Parameters parameters = request.query;
  auto type = request.http.fields.find("content-type");
  bool form = type != request.http.fields.end() &&
              type->second.starts_with("application/x-www-form-urlencoded");
  if (form) parameters.merge(ParseQuery(request.http.body));
  return parameters;
}

std::string Take(const Parameters& parameters, const char* name) {
  auto found = parameters.find(name);
  return found == parameters.end() ? "" : found->second;
}

// app_name is the image, app_args are the arguments of its entry point.
Result<JobWork> MakeWork(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (name != "app_name" && name != "app_args" && name != "app_docker_args" &&
        name != "token" && name != "delay" && name != "cause") {
      return InvalidInput("unknown parameter '" + name + "'");
    }
  }
  ContainerOptions options;
  options.settings.image = Take(parameters, "app_name");
  if (options.settings.image.empty()) {
    return InvalidInput("app_name, the image, is required");
  }
  ASSIGN_OR_RETURN(auto docker,
                   SplitCommandLine(Take(parameters, "app_docker_args")));
  auto read = ReadContainerOptions(docker, "/", options);
  if (!read.ok()) return read.error().While("app_docker_args");
  if (!options.environment_files.empty()) {
    return InvalidInput(
        "app_docker_args: --env-file would be a file of the server; send the "
        "variables with -e");
  }
  JobWork work;
  ASSIGN_OR_RETURN(work.application.command,
                   SplitCommandLine(Take(parameters, "app_args")));
  work.application.container = std::move(options.settings);
  work.application.environment = std::move(options.environment);
  work.application.folder = std::move(options.folder);
  return work;
}

// Moves the token from the parameters to the header field.
HttpRequest WithToken(HttpRequest request, const Parameters& parameters) {
  std::string token = Take(parameters, "token");
  if (!token.empty() && !request.fields.contains("authorization")) {
    request.fields["authorization"] = "Bearer " + token;
  }
  return request;
}

HttpReply Build(const JobsApi& api, const RoutedRequest& request) {
  Parameters parameters = ReadParameters(request);
  const HttpRequest known = WithToken(request.http, parameters);
  auto refused = Refuse(api.access, RoleFor(kBuild), known);
  if (refused) return *refused;
  auto work = MakeWork(parameters);
  if (!work.ok()) return ErrorReply(work.error());
  const Role role = RoleOf(api.access, known);
  work->allow_privileged = api.allow_privileged && role == Role::kAdmin;
  auto job =
      SubmitExternalJob(api, role, request.path.at("name"), *std::move(work));
  if (!job.ok()) return ErrorReply(job.error());
  HttpReply reply;  // like Jenkins, without a body
  reply.response.status = 201;
  reply.response.fields["location"] = "/queue/item/" + job->id + "/";
  return reply;
}

// Returns the part of Jenkins' reply that clients use: `executable` appears
// when the item has left the queue.
HttpReply Item(const JobsApi& api, const RoutedRequest& request) {
  auto job = api.jobs.FindJob(request.path.at("id"));
  if (!job.ok()) return ErrorReply(job.error());
  Json json = {{"id", job->id},
               {"task", {{"name", job->name}}},
               {"cancelled", job->state == JobState::kCancelled}};
  if (job->state == JobState::kQueued) {
    json["why"] = "waiting for a worker";
  } else {
    json["executable"] = {{"number", job->id},
                          {"url", "/api/v1/jobs/" + job->id}};
  }
  return JsonReply(200, json);
}

}  // namespace

void AddJenkinsRoutes(const JobsApi& api, Router& router) {
  // No guard: the token may be one of the parameters in the body.
  router.Add(
      "POST", "/job/{name}/buildWithParameters",
      [api](const RoutedRequest& request) { return Build(api, request); });
  router.Add(
      "GET", "/queue/item/{id}/api/json",
      [api](const RoutedRequest& request) { return Item(api, request); },
      GuardFor("GET /queue/item/{id}/api/json", api.access));
}

}  // namespace mete
