#include "jobs/submit_job.h"

#include "measure/prepare_application.h"
#include "support/json.h"

namespace mete {

Result<Job> SubmitJob(const JobRequest& request, JobStore& store,
                      const Clock& clock) {
  const JobWork& work = request.work;
  RETURN_IF_ERROR(CheckSpec(work.application, work.allow_privileged));
  Job job{.name = request.name,
          .work = JobWorkToJson(work),
          .device_id = request.device_id,
          .submitted = clock.Wall()};
  if (job.name.empty()) job.name = DisplayName(work.application);
  job.id = MakeRunId(job.submitted, request.entropy);
  RETURN_IF_ERROR(store.SubmitJob(job));
  return job;
}

}  // namespace mete
