// Reads arbitrary JSON as the limits that a killed controller left. Accepted
// ones must survive being written.
#include "control/held_changes.h"
#include "fuzz/input.h"
#include "support/check.h"
#include "support/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto json = mete::ParseJson(fuzz::ToText(bytes, size));
  if (!json.ok()) return 0;
  auto changes = mete::HeldChangesFromJson(*json);
  if (!changes.ok()) return 0;
  const mete::Json written = mete::HeldChangesToJson(*changes);
  auto again = mete::HeldChangesFromJson(written);
  CHECK(again.ok()) << again.error().message();
  CHECK(mete::HeldChangesToJson(*again) == written) << mete::DumpJson(written);
  return 0;
}
