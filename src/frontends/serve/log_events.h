// What a job writes, live, as server-sent events.
#pragma once

#include <optional>
#include <string>

#include "jobs/job_log.h"
#include "ports/job_store.h"
#include "serve/router.h"

namespace mete {

// Every line written becomes a message whose id is the place behind it; a
// reader that comes back with Last-Event-ID goes on there. When the job is done
// an event `end` tells its state. With ?follow=false the text as it stands.
HttpReply LogReply(JobStore& jobs, const RoutedRequest& request);

// The events of one reader, piece by piece. One thread at a time.
class LogEvents {
 public:
  LogEvents(JobStore& jobs, std::string id, uint64_t offset)
      : jobs_(jobs), id_(std::move(id)), offset_(offset) {}

  // Absent: it is over. Empty: nothing yet.
  std::optional<std::string> Next();

 private:
  std::string Lines(std::string_view text, bool last);

  JobStore& jobs_;
  std::string id_;
  uint64_t offset_;            // behind what was sent
  std::optional<JobLog> log_;  // from when the job has a folder
  std::string rest_;           // a line that has not ended
  bool over_ = false;
};

}  // namespace mete
