#include "measure/network_reply.h"

#include <utility>

#include "domain/run_json.h"
#include "support/json.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::system_clock;

}  // namespace

std::string NetworkReply(const Result<Run>& measured) {
  Json json;
  if (measured.ok()) {
    json["run"] = RunToJson(*measured);
    // More precise than the text in the run; its id depends on it.
    json["started_us"] = std::chrono::duration_cast<microseconds>(
                             measured->started_at.time_since_epoch())
                             .count();
    json["samples"] = measured->network()->samples;
  } else {
    // Both sides are the same program, so a number is enough.
    json["error"]["code"] = static_cast<int>(measured.error().code());
    json["error"]["message"] = measured.error().message();
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Run> RunFromReply(const std::string& line) {
  ASSIGN_OR_RETURN(Json json, ParseJson(line));
  if (json.is_object() && json.contains("error")) {
    auto reported = ReadJson("the error of a process", [&] {
      const Json& error = json.at("error");
      return std::pair(error.at("code").get<int>(),
                       error.at("message").get<std::string>());
    });
    if (!reported.ok()) return reported.error();
    return Error(static_cast<ErrorCode>(reported->first), reported->second);
  }
  return ReadJson("the result of a process", [&]() -> Result<Run> {
    ASSIGN_OR_RETURN(Run run, RunFromJson(json.at("run")));
    if (!run.network()) return Corrupt("the run is not of a network");
    run.started_at = system_clock::time_point(
        microseconds(json.at("started_us").get<int64_t>()));
    run.network()->samples = json.at("samples").get<std::vector<double>>();
    return run;
  });
}

}  // namespace mete
