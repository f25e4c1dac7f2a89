// The output of a job as server-sent events, live.
#pragma once

#include <optional>
#include <string>

#include "jobs/job_log.h"
#include "ports/job_store.h"
#include "serve/router.h"

namespace mete {

// Sends every line as a message whose id is the offset after it. A client that
// reconnects with Last-Event-ID resumes there. When the job ends, an event
// `end` contains its state. With ?follow=false it returns the current text
// instead.
HttpReply LogReply(JobStore& jobs, const RoutedRequest& request);

// The events for one client, piece by piece. Not thread-safe.
class LogEvents {
 public:
  LogEvents(JobStore& jobs, std::string id, uint64_t offset)
      : jobs_(jobs), id_(std::move(id)), offset_(offset) {}

  // Returns the next piece; empty if there is none yet, absent at the end.
  std::optional<std::string> Next();

 private:
  std::string Lines(std::string_view text, bool last);

  JobStore& jobs_;
  std::string id_;
  uint64_t offset_;            // after the text already sent
  std::optional<JobLog> log_;  // set once the job has a folder
  std::string rest_;           // an incomplete line
  bool over_ = false;
};

}  // namespace mete
