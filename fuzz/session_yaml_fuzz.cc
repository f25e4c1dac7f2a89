// Reads arbitrary text as a session. Accepted applications must be within their
// bounds and survive being stored in a profile.
#include <set>

#include "fuzz/input.h"
#include "measure/application_bounds.h"
#include "measure/application_spec_json.h"
#include "measure/session_spec.h"
#include "support/check.h"
#include "support/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto session = mete::ParseSession(std::string(fuzz::ToText(bytes, size)),
                                    "/tmp/session.yaml");
  if (!session.ok()) return 0;
  CHECK(!session->applications.empty());
  std::set<std::string> names;
  for (const mete::ApplicationSpec& spec : session->applications) {
    CHECK(names.insert(mete::DisplayName(spec)).second);
    mete::Status bounds = mete::CheckBounds(spec);
    CHECK(bounds.ok()) << bounds.error().message();
    const mete::Json stored = mete::ApplicationSpecToJson(spec);
    auto again = mete::ApplicationSpecFromJson(stored);
    CHECK(again.ok()) << again.error().message();
    CHECK(mete::ApplicationSpecToJson(*again) == stored)
        << mete::DumpJson(stored);
  }
  return 0;
}
