// Reads arbitrary lines as the replies of processes that measure networks. An
// accepted run must survive being sent.
#include "collect/worker_protocol.h"
#include "domain/run_json.h"
#include "fuzz/input.h"
#include "measure/network_reply.h"
#include "support/check.h"
#include "support/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string line(fuzz::ToText(bytes, size));
  static_cast<void>(mete::CheckReply(line).ok());
  static_cast<void>(mete::TimedRunFrom(line).ok());
  auto loaded = mete::LoadedFrom(line);
  if (loaded.ok()) mete::ToLine(mete::ToJson(*loaded));
  if (auto json = mete::ParseJson(line); json.ok()) {
    static_cast<void>(mete::LoadOrderFrom(*json).ok());
    static_cast<void>(mete::RunOrderFrom(*json).ok());
  }
  auto run = mete::RunFromReply(line);
  if (!run.ok()) return 0;
  auto again = mete::RunFromReply(mete::NetworkReply(run));
  CHECK(again.ok()) << again.error().message();
  CHECK(mete::RunToJson(*again) == mete::RunToJson(*run));
  return 0;
}
