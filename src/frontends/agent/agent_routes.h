// What mete-agent answers over HTTP: /metrics, /healthz and a page that leads
// there.
#pragma once

#include <string>

#include "agent/snapshots.h"
#include "net/http.h"

namespace mete {

// Whoever asks is allowed to. From any thread.
HttpResponse AnswerRequest(const HttpRequest& request, Snapshots& snapshots);

}  // namespace mete
