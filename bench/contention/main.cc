// The cost of testing an objective on a server, and whether choosing mixes
// actively saves measurements. `contention TABLE.csv[.gz]` replays a recorded
// campaign; without a table, simulated ones.
#include <cstdio>

#include "bench/contention/cost.h"
#include "bench/contention/replay.h"
#include "contention/test_simulation.h"
#include "support/file.h"
#include "support/gzip.h"

namespace {

mete::Result<std::vector<mete::MeasuredMix>> ReadTable(const char* path) {
  ASSIGN_OR_RETURN(std::string bytes, mete::ReadFile(path));
  if (mete::IsGzip(bytes)) {
    ASSIGN_OR_RETURN(bytes, mete::Gunzip(bytes));
  }
  ASSIGN_OR_RETURN(auto rows, mete::ParseMixCsv(bytes));
  return mete::GroupByMix(rows);
}

}  // namespace

int main(int argc, char** argv) {
  mete::PrintCosts();
  if (argc < 2) {
    mete::PrintReplay("simulated, 200 random mixes",
                      mete::GroupByMix(mete::Simulate({.random_mixes = 200})));
    return 0;
  }
  auto mixes = ReadTable(argv[1]);
  if (!mixes.ok()) {
    std::fprintf(stderr, "contention: %s\n", mixes.error().message().c_str());
    return 1;
  }
  mete::PrintReplay(argv[1], *mixes);
  return 0;
}
