// Generates corrupted messages from valid ones with a seed, and measures the
// memory of this process while it handles them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "support/random.h"

namespace mete {

// Generates the same bytes for the same seed on every machine.
class HostileBytes {
 public:
  HostileBytes(uint64_t seed, std::vector<std::string> samples)
      : random_(seed), samples_(std::move(samples)) {}

  // Returns a sample with up to four changes, or with none in 1 of 16 cases.
  std::string Next() {
    std::string bytes = Sample();
    for (uint64_t left = random_.Below(16) == 0 ? 0 : 1 + random_.Below(4);
         left > 0; --left) {
      Change(bytes);
    }
    return bytes;
  }

 private:
  const std::string& Sample() {
    return samples_[random_.Below(samples_.size())];
  }
  char AnyByte() { return static_cast<char>(random_.Below(256)); }
  size_t Place(const std::string& bytes) {
    return random_.Below(bytes.size() + 1);
  }
  std::string Noise(size_t most) {
    std::string noise(random_.Below(most + 1), '\0');
    for (char& byte : noise) byte = AnyByte();
    return noise;
  }

  void Change(std::string& bytes) {
    const size_t at = Place(bytes);
    const size_t length =
        random_.Below(1 + std::min<size_t>(64, bytes.size() - at));
    switch (random_.Below(9)) {
      case 0:  // flip a bit
        if (at < bytes.size()) {
          bytes[at] = static_cast<char>(bytes[at] ^ 1 << random_.Below(8));
        }
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, Noise(32));
        break;
      case 4:
        bytes.insert(at, std::string(1 + random_.Below(8), '\0'));
        break;
      case 5:  // repeat a part
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 6:  // replace the rest with another sample
        bytes = bytes.substr(0, at) + Sample().substr(0, 4096);
        break;
      case 7:  // insert many equal bytes
        bytes.insert(at, std::string(random_.Below(20000), AnyByte()));
        break;
      default:  // replace a part with a random number
        bytes.replace(at, length, std::to_string(random_.Next()));
        break;
    }
  }

  Random random_;
  std::vector<std::string> samples_;
};

// Sanitizers delay freeing, so memory cannot be checked with them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsMeaningful = false;
#else
constexpr bool kMemoryIsMeaningful = true;
#endif

// Returns the resident memory of this process.
inline uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

inline size_t OpenDescriptors() {
  std::filesystem::directory_iterator open("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(open), end(open)));
}

}  // namespace mete
