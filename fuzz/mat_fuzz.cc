// Reads arbitrary bytes as a MATLAB file, for the places of all collections.
// Nothing may crash, in matio neither.
#include "adapters/matlab/mat_reader.h"
#include "fuzz/input.h"
#include "support/check.h"
#include "support/file.h"

// matio allocates what a file claims to contain before it reads it.
// NOLINTBEGIN(bugprone-reserved-identifier): the sanitizer looks for this name.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=256:allocator_may_return_null=1";
}
// NOLINTEND(bugprone-reserved-identifier)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const mete::ScratchFolder folder = *mete::ScratchFolder::Create();
  const auto file = folder.path() / "signal.mat";
  CHECK(mete::WriteFileAtomically(file, fuzz::ToText(bytes, size)).ok());
  mete::MatReader reader;
  const mete::SignalPlace places[] = {
      {.variable = "X097_DE_time"},
      {.variable = "bearing", .field = "gs"},
      {.variable = "N15", .field = "Y", .channel = "vibration_1"}};
  for (const mete::SignalPlace& place : places) {
    static_cast<void>(reader.Read(file, place).ok());
  }
  return 0;
}
