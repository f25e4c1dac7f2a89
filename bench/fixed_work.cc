// Does a fixed amount of work: the given number of rounds over 64 KiB.
#include <array>
#include <cstdint>
#include <cstdlib>

int main(int argc, char** argv) {
  long rounds = argc > 1 ? std::atol(argv[1]) : 1;
  std::array<uint64_t, 8192> table{};
  uint64_t state = 1;
  for (long round = 0; round < rounds; ++round) {
    for (int i = 0; i < 256; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      table[state >> 51] += state;
    }
  }
  return table[1] == 42 ? 1 : 0;
}
