// Reads arbitrary JSON as a job and as the work of a job. What is accepted must
// survive being stored, and checking it must not crash.
#include "domain/job.h"
#include "fuzz/input.h"
#include "jobs/job_work.h"
#include "measure/prepare_application.h"
#include "support/check.h"
#include "support/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto json = mete::ParseJson(fuzz::ToText(bytes, size));
  if (!json.ok()) return 0;
  auto work = mete::JobWorkFromJson(*json);
  if (work.ok()) {
    static_cast<void>(
        mete::CheckSpec(work->application, work->allow_privileged).ok());
    const mete::Json stored = mete::JobWorkToJson(*work);
    auto again = mete::JobWorkFromJson(stored);
    CHECK(again.ok()) << again.error().message();
    CHECK(mete::JobWorkToJson(*again) == stored) << mete::DumpJson(stored);
  }
  auto job = mete::JobFromJson(*json);
  if (job.ok()) {
    const mete::Json stored = mete::JobToJson(*job);
    auto again = mete::JobFromJson(stored);
    CHECK(again.ok()) << again.error().message();
    CHECK(mete::JobToJson(*again) == stored) << mete::DumpJson(stored);
  }
  return 0;
}
