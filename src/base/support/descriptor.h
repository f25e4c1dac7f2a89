// An open file descriptor, closed at the end of its owner's life.
#pragma once

#include <unistd.h>

#include <utility>

namespace mete {

// Holds what open(2) and its kin returned, failure (-1) included: the caller
// looks at open() and errno.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~Descriptor() { Close(); }

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }
  void Close() {
    if (open()) close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

}  // namespace mete
