#include "serve/jobs_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "jobs/queue.h"
#include "jobs/submit_job.h"
#include "serve/log_events.h"
#include "serve/reply.h"
#include "support/json.h"

namespace mete {
namespace {

namespace fs = std::filesystem;

HttpReply JobReply(int status, const Result<Job>& job) {
  return job.ok() ? JsonReply(status, JobToJson(*job))
                  : ErrorReply(job.error());
}

// {"name": …, "application": {…}}
Result<Job> Submit(const JobsApi& api, const HttpRequest& request) {
  auto type = request.fields.find("content-type");
  bool json = type != request.fields.end() &&
              type->second.starts_with("application/json");
  if (!json) return InvalidInput("expected a body of type application/json");
  auto body = ParseJson(request.body);
  if (!body.ok()) return InvalidInput(body.error().message());
  if (!body->is_object() || !body->contains("application")) {
    return InvalidInput("expected an object with \"application\"");
  }
  auto work = JobWorkFromJson(*body);
  if (!work.ok()) return InvalidInput(work.error().message());
  const Role role = RoleOf(api.access, request);
  auto name = body->find("name");
  if (name == body->end()) {
    return SubmitExternalJob(api, role, "", *std::move(work));
  }
  if (!name->is_string()) return InvalidInput("\"name\" is not a string");
  return SubmitExternalJob(api, role, name->get<std::string>(),
                           *std::move(work));
}

// Jobs on a page unless the client asks for another number, and at most.
constexpr size_t kJobsOnAPage = 100;
constexpr size_t kMostJobsOnAPage = 1000;

// The old name of `limit` is `last`. 0 asks for as many as possible.
Result<size_t> ParseLimit(const std::string& value) {
  ASSIGN_OR_RETURN(uint64_t limit, ParseCount(value));
  if (limit == 0 || limit > kMostJobsOnAPage) return kMostJobsOnAPage;
  return static_cast<size_t>(limit);
}

Result<JobFilter> MakeFilter(const std::map<std::string, std::string>& query) {
  JobFilter filter{.last = kJobsOnAPage};
  for (const auto& [name, value] : query) {
    if (name == "state") {
      ASSIGN_OR_RETURN(filter.state, ParseJobState(value));
    } else if (name == "limit" || name == "last") {
      ASSIGN_OR_RETURN(filter.last, ParseLimit(value));
    } else if (name == "cursor") {
      filter.before = value;
    } else {
      return InvalidInput("unknown parameter '" + name +
                          "'; known: state, limit, cursor");
    }
  }
  return filter;
}

HttpReply List(const JobsApi& api, const RoutedRequest& request) {
  auto made = MakeFilter(request.query);
  if (!made.ok()) return ErrorReply(made.error());
  JobFilter& filter = *made;
  const size_t limit = (*filter.last)++;  // one more shows that there is more
  auto jobs = api.jobs.ListJobs(filter);
  if (!jobs.ok()) return ErrorReply(jobs.error());
  const bool more = jobs->size() > limit;
  if (more) jobs->erase(jobs->begin());
  Json json = {{"jobs", Json::array()}};
  for (const Job& job : *jobs) json["jobs"].push_back(JobToJson(job));
  if (more) json["cursor"] = jobs->front().id;
  return JsonReply(200, json);
}

bool Within(const fs::path& inner, const fs::path& outer) {
  const fs::path relative = inner.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

// Whether a mount of `source` shows one of the paths.
bool Shows(const fs::path& source, const std::vector<fs::path>& paths) {
  std::error_code ignored;  // then the names decide
  const fs::path real = fs::weakly_canonical(source, ignored);
  return std::ranges::any_of(paths, [&](const fs::path& one) {
    std::error_code unknown;
    const fs::path hidden = fs::weakly_canonical(one, unknown);
    return Within(real, hidden) || Within(hidden, real);
  });
}

// Refuses mounts that would give clients the tokens, jobs or uploads of others.
Status CheckPrivatePaths(const JobsApi& api,
                         const ApplicationSpec& application) {
  std::vector<fs::path> sources;
  for (const Mount& mount : application.container->mounts) {
    sources.push_back(mount.source);
  }
  if (!application.dataset.empty()) sources.push_back(application.dataset);
  for (const fs::path& source : sources) {
    if (!Shows(source, api.private_paths)) continue;
    return Error(ErrorCode::kPermissionDenied,
                 fmt::format("the mount of {} would show files of this server",
                             source.string()));
  }
  return {};
}

// Refuses work that this server does not accept from clients.
Status CheckWork(const JobsApi& api, Role role, const JobWork& work) {
  auto denied = [](const char* why) {
    return Error(ErrorCode::kPermissionDenied, why);
  };
  const ApplicationSpec& application = work.application;
  if (work.allow_privileged && !api.allow_privileged) {
    return denied(
        "this server does not allow privileged jobs; start it with "
        "--allow-privileged");
  }
  if (work.allow_privileged && role < Role::kAdmin) {
    return denied("privileged jobs require a token with the role admin");
  }
  if (application.container && !work.allow_privileged) {
    RETURN_IF_ERROR(CheckPrivatePaths(api, application));
  }
  if (!application.network) {
    if (!api.images_only || application.container) return {};
    return denied(
        "this server runs no commands (--images-only); submit an image or a "
        "network");
  }
  if (!application.network->network.is_absolute()) {
    return InvalidInput(
        "network.path must be an absolute path of the server, not '" +
        application.network->network.string() + "'");
  }
  // LD_PRELOAD and the like would run other code as the server's user.
  const bool code = api.images_only || api.other_user;
  if (code && !application.environment.empty()) {
    return denied("on this server, networks take no environment variables");
  }
  return {};
}

using ApiHandler =
    std::function<HttpReply(const JobsApi&, const RoutedRequest&)>;

}  // namespace

Result<Job> SubmitExternalJob(const JobsApi& api, Role role,
                              const std::string& name, JobWork work) {
  RETURN_IF_ERROR(CheckWork(api, role, work));
  return SubmitJob({.name = name,
                    .work = std::move(work),
                    .device_id = api.device_id,
                    .entropy = api.entropy()},
                   api.jobs, api.clock);
}

void AddJobRoutes(const JobsApi& api, Router& router) {
  auto add = [&](const std::string& method, const std::string& path,
                 ApiHandler handler) {
    router.Add(
        method, path,
        [api, handler = std::move(handler)](const RoutedRequest& request) {
          return handler(api, request);
        },
        GuardFor(method + " " + path, api.access));
  };
  add("GET", "/api/v1/jobs", &List);
  add("POST", "/api/v1/jobs",
      [](const JobsApi& it, const RoutedRequest& request) {
        auto job = Submit(it, request.http);
        HttpReply reply = JobReply(201, job);
        if (job.ok()) {
          reply.response.fields["location"] = "/api/v1/jobs/" + job->id;
        }
        return reply;
      });
  add("GET", "/api/v1/jobs/{id}",
      [](const JobsApi& it, const RoutedRequest& request) {
        return JobReply(200, it.jobs.FindJob(request.path.at("id")));
      });
  add("DELETE", "/api/v1/jobs/{id}",
      [](const JobsApi& it, const RoutedRequest& request) {
        return JobReply(200,
                        CancelJob(it.jobs, request.path.at("id"), it.clock));
      });
  add("POST", "/api/v1/jobs/{id}/resume",
      [](const JobsApi& it, const RoutedRequest& request) {
        return JobReply(200, ResumeJob(it.jobs, request.path.at("id")));
      });
  add("GET", "/api/v1/jobs/{id}/logs",
      [](const JobsApi& it, const RoutedRequest& request) {
        return LogReply(it.jobs, request);
      });
}

}  // namespace mete
