// Child of kill_test: saves numbered runs in a store and prints the id of each
// saved run, until it has saved enough or is killed.
//
//   kill_test_writer STORE PREFIX COUNT
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>

#include "adapters/sqlite/sqlite_run_store.h"
#include "tests/contracts/run_store_contract.h"

namespace mete {
namespace {

// Avoids stdio, whose buffer would be lost when the process is killed.
bool Say(const std::string& line) {
  return write(STDOUT_FILENO, line.data(), line.size()) ==
         static_cast<ssize_t>(line.size());
}

Status Write(const std::string& file, const std::string& prefix, int count) {
  ASSIGN_OR_RETURN(auto store, SqliteRunStore::Open(file));
  RETURN_IF_ERROR(store->SaveDevice(ExampleDevice("d1", "pi")));
  for (int i = 0; i < count; ++i) {
    Run run = ExampleRun(fmt::format("{}-{:06}", prefix, i), i);
    run.network()->samples.assign(2000, 0.001);  // a few pages each
    RETURN_IF_ERROR(store->SaveRun(run));
    if (!Say(run.id + "\n")) return Unavailable("nobody listens");
  }
  return {};
}

}  // namespace
}  // namespace mete

int main(int argc, char** argv) {
  int count = 0;
  if (argc != 4) return 2;
  std::from_chars(argv[3], argv[3] + std::strlen(argv[3]), count);
  mete::Status written = mete::Write(argv[1], argv[2], count);
  if (written.ok()) return 0;
  std::fprintf(stderr, "kill_test_writer: %s\n",
               written.error().message().c_str());
  return 1;
}
