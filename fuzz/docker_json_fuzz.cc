// Reads arbitrary JSON as every response of a container engine, and arbitrary
// text as an error and as the name of an image. Nothing may crash or throw.
#include "adapters/docker/engine_json.h"
#include "fuzz/input.h"
#include "support/check.h"
#include "support/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string text(fuzz::ToText(bytes, size));
  CHECK(!mete::EngineError(404, text).message().empty());
  mete::SplitReference(text);
  mete::EncodeReference(text);
  auto json = mete::ParseJson(text);
  if (!json.ok()) return 0;
  static_cast<void>(mete::ParseEngineFacts(*json, *json).ok());
  static_cast<void>(mete::ParseImage(*json).ok());
  static_cast<void>(mete::ParseCreated(*json).ok());
  mete::ParseOwned(*json, "dev.mete.owner");
  mete::ParseStats(*json);
  auto state = mete::ParseState(*json);
  if (state.ok() && state->lifetime) CHECK(state->lifetime->count() >= 0);
  return 0;
}
