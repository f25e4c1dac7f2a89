// The HTTP routes of mete-agent: /metrics, /healthz and a front page that links
// to the metrics.
#pragma once

#include <string>

#include "agent/snapshots.h"
#include "net/http.h"

namespace mete {

// Answers one request. The caller checks access first. Safe to call from any
// thread.
HttpResponse AnswerRequest(const HttpRequest& request, Snapshots& snapshots);

}  // namespace mete
