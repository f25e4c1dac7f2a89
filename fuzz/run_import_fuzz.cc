// Imports arbitrary lines into an empty store. A failed import must not store
// anything; an accepted one must survive export and import.
#include "collect/export_import.h"
#include "fuzz/input.h"
#include "support/check.h"
#include "tests/fakes/memory_run_store.h"

namespace {

std::string Export(mete::RunStore& store) {
  std::string lines;
  auto written = mete::ExportRuns(store, {}, [&](const std::string& line) {
    lines += line;
    return mete::Status();
  });
  CHECK(written.ok()) << written.error().message();
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view lines = fuzz::ToText(bytes, size);
  mete::MemoryRunStore store;
  auto counts = mete::ImportRuns(store, lines);
  if (!counts.ok()) {
    CHECK(store.ListRuns({})->empty() && store.ListDevices()->empty() &&
          store.ListNetworks()->empty())
        << counts.error().message();
    return 0;
  }
  auto repeated = mete::ImportRuns(store, lines);
  CHECK(repeated.ok()) << repeated.error().message();
  CHECK(repeated->runs == 0 && repeated->networks == 0);
  const std::string exported = Export(store);
  mete::MemoryRunStore other;
  auto moved = mete::ImportRuns(other, exported);
  CHECK(moved.ok()) << moved.error().message();
  CHECK(moved->runs == counts->runs);
  CHECK(Export(other) == exported);
  return 0;
}
