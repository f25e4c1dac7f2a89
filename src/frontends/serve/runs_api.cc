#include "serve/runs_api.h"

#include <memory>
#include <mutex>

#include "domain/run_json.h"
#include "report/report_job.h"
#include "serve/reply.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

// The same as `mete runs list`.
constexpr size_t kDefaultLimit = 20;

using Query = std::map<std::string, std::string>;

Result<RunFilter> MakeRunFilter(const Query& query) {
  RunFilter filter{.limit = kDefaultLimit};
  for (const auto& [name, value] : query) {
    if (name == "workload") {
      filter.workload = value;
    } else if (name == "device") {
      filter.device = value;
    } else if (name == "limit") {
      ASSIGN_OR_RETURN(filter.limit, ParseCount(value));
    } else {
      return InvalidInput("unknown parameter '" + name +
                          "'; known: workload, device, limit");
    }
  }
  return filter;
}

HttpReply ListStoredRuns(const RunsApi& api, const RoutedRequest& request) {
  auto filter = MakeRunFilter(request.query);
  if (!filter.ok()) return ErrorReply(filter.error());
  auto runs = api.runs.ListRuns(*filter);
  if (!runs.ok()) return ErrorReply(runs.error());
  Json list = Json::array();
  for (const Run& run : *runs) list.push_back(RunToJson(run));
  return JsonReply(200, Json{{"runs", std::move(list)}});
}

Result<bool> WantsSamples(const Query& query) {
  bool wanted = false;
  for (const auto& [name, value] : query) {
    if (name != "samples") {
      return InvalidInput("unknown parameter '" + name + "'; known: samples");
    }
    if (value != "true" && value != "false") {
      return InvalidInput("samples must be true or false, not '" + value + "'");
    }
    wanted = value == "true";
  }
  return wanted;
}

HttpReply ShowStoredRun(const RunsApi& api, const RoutedRequest& request) {
  auto samples = WantsSamples(request.query);
  if (!samples.ok()) return ErrorReply(samples.error());
  auto run = api.runs.FindRun(request.path.at("id"));
  if (!run.ok()) return ErrorReply(run.error());
  Json json = RunToJson(*run);
  if (*samples && run->network()) json["samples"] = run->network()->samples;
  return JsonReply(200, json);
}

// Answers with a file of the type, made from a job and its runs.
template <typename Make>
HttpReply JobFile(const RunsApi& api, const RoutedRequest& request,
                  const char* type, Make make) {
  auto job = api.jobs.FindJob(request.path.at("id"));
  if (!job.ok()) return ErrorReply(job.error());
  auto made = make(*job, api.runs);
  if (!made.ok()) return ErrorReply(made.error());
  if constexpr (std::is_same_v<decltype(made), Result<Json>>) {
    return JsonReply(200, *made);
  } else {
    HttpReply reply = TextReply(200, *std::move(made));
    reply.response.fields["content-type"] = type;
    return reply;
  }
}

}  // namespace

void AddRunRoutes(const RunsApi& api, Router& router) {
  // Handlers run on several threads, the store allows one.
  auto mutex = std::make_shared<std::mutex>();
  auto add = [&](const std::string& path, auto handler) {
    router.Add(
        "GET", path,
        [api, mutex, handler](const RoutedRequest& request) {
          std::lock_guard lock(*mutex);
          return handler(api, request);
        },
        GuardFor("GET " + path, api.access));
  };
  add("/api/v1/runs", &ListStoredRuns);
  add("/api/v1/runs/{id}", &ShowStoredRun);
  add("/api/v1/jobs/{id}/profile",
      [](const RunsApi& it, const RoutedRequest& request) {
        return JobFile(it, request, "application/json", &JobProfile);
      });
  add("/api/v1/jobs/{id}/samples",
      [](const RunsApi& it, const RoutedRequest& request) {
        return JobFile(it, request, "text/csv; charset=utf-8", &JobSamplesCsv);
      });
  add("/api/v1/jobs/{id}/report",
      [](const RunsApi& it, const RoutedRequest& request) {
        return JobFile(it, request, "text/html; charset=utf-8", &JobReport);
      });
}

}  // namespace mete
