// Changes inputs at random, for compilers without libFuzzer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/random.h"

namespace mete {

// Makes new inputs from seeds. The same seed number gives the same inputs.
class Mutator {
 public:
  Mutator(uint64_t seed, std::vector<std::string> seeds)
      : random_(seed), pool_(std::move(seeds)), seeds_(pool_.size()) {
    if (pool_.empty()) pool_.emplace_back();
  }

  // An input of at most `longest` bytes.
  std::string Next(size_t longest) {
    std::string input = Any();
    // Mostly few changes: an input with many is refused by its first bytes.
    for (uint64_t left = uint64_t{1} << random_.Below(5); left > 0; --left) {
      Change(input);
    }
    if (input.size() > longest) input.resize(longest);
    Keep(input);
    return input;
  }

 private:
  static constexpr size_t kMostKept = 64;

  const std::string& Any() { return pool_[random_.Below(pool_.size())]; }
  size_t Place(const std::string& text) {
    return random_.Below(text.size() + 1);
  }
  char AnyByte() { return static_cast<char>(random_.Below(256)); }

  std::string Piece(const std::string& text) {
    const size_t at = Place(text);
    return text.substr(at, 1 + random_.Below(32));
  }

  // A few results become seeds themselves, so that changes add up.
  void Keep(const std::string& input) {
    if (random_.Below(64) != 0) return;
    if (pool_.size() < seeds_ + kMostKept) {
      pool_.push_back(input);
    } else {
      pool_[seeds_ + random_.Below(kMostKept)] = input;
    }
  }

  // A number at the edge of what some type holds, as text or as bytes.
  std::string EdgeNumber() {
    static constexpr std::array<uint64_t, 18> kEdges = {0,
                                                        1,
                                                        2,
                                                        0x7F,
                                                        0x80,
                                                        0xFF,
                                                        0x100,
                                                        0x7FFF,
                                                        0x8000,
                                                        0xFFFF,
                                                        0x10000,
                                                        0x7FFFFFFF,
                                                        0x80000000,
                                                        0xFFFFFFFF,
                                                        0x100000000,
                                                        INT64_MAX,
                                                        uint64_t{1} << 63,
                                                        UINT64_MAX};
    static constexpr std::array<const char*, 8> kTexts = {
        "-1", "-0.0", "1e308", "-1e-308", "nan", "inf", "1e999", "0x10"};
    const uint64_t edge = kEdges[random_.Below(kEdges.size())];
    switch (random_.Below(4)) {
      case 0:
        return std::to_string(edge);
      case 1:
        return std::to_string(static_cast<int64_t>(edge));
      case 2:
        return kTexts[random_.Below(kTexts.size())];
      default: {
        std::string bytes(size_t{1} << random_.Below(4), '\0');
        std::memcpy(bytes.data(), &edge, bytes.size());
        if (random_.Below(2) == 0) std::reverse(bytes.begin(), bytes.end());
        return bytes;
      }
    }
  }

  // Replaces the digits around a place by another number.
  void ChangeNumber(std::string& input, size_t at) {
    at = input.find_first_of("0123456789", at);
    if (at == std::string::npos) return;
    size_t end = input.find_first_not_of("0123456789.", at);
    input.replace(at, std::min(end, input.size()) - at, EdgeNumber());
  }

  void Change(std::string& input) {
    const size_t at = Place(input);
    const size_t length =
        random_.Below(1 + std::min<size_t>(64, input.size() - at));
    switch (random_.Below(13)) {
      case 0:
      case 1:
        if (at < input.size()) {
          input[at] = static_cast<char>(input[at] ^ 1 << random_.Below(8));
        }
        break;
      case 2:
        if (at < input.size()) input[at] = AnyByte();
        break;
      case 3:
        input.insert(at, 1, AnyByte());
        break;
      case 4:
        input.erase(at, length);
        break;
      case 5:
        input.resize(at);
        break;
      case 6:
        input.insert(at, input.substr(at, length));
        break;
      case 7:
        input.insert(at, Piece(Any()));
        break;
      case 8:
        input.replace(at, length, Piece(Any()));
        break;
      case 9:
        ChangeNumber(input, at);
        break;
      case 10: {
        const std::string number = EdgeNumber();
        input.replace(at, std::min(number.size(), input.size() - at), number);
        break;
      }
      case 11: {  // splice
        const std::string& other = Any();
        input = input.substr(0, at) + other.substr(Place(other));
        break;
      }
      default:  // many equal pieces, for nesting and for sizes
        if (random_.Below(4) == 0) {
          const std::string piece = input.substr(at, 1 + random_.Below(4));
          std::string many;
          for (uint64_t left = random_.Below(2000); left > 0; --left) {
            many += piece;
          }
          input.insert(at, many);
        }
        break;
    }
  }

  Random random_;
  std::vector<std::string> pool_;  // the seeds, then results
  size_t seeds_;
};

}  // namespace mete
