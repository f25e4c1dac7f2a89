#include "jobs/job_work.h"

#include "measure/application_spec_json.h"
#include "support/json.h"

namespace mete {

Json JobWorkToJson(const JobWork& work) {
  Json json;
  json["application"] = ApplicationSpecToJson(work.application);
  if (work.allow_privileged) json["allow_privileged"] = true;
  return json;
}

Result<JobWork> JobWorkFromJson(const Json& json) {
  if (!json.is_object() || !json.contains("application")) {
    return Corrupt("read job: it has no application");
  }
  JobWork work;
  ASSIGN_OR_RETURN(work.application,
                   ApplicationSpecFromJson(json.at("application")));
  auto privileged = json.find("allow_privileged");
  work.allow_privileged = privileged != json.end() && *privileged == Json(true);
  return work;
}

}  // namespace mete
