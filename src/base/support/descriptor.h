// An open file descriptor that is closed when its owner is destroyed.
#pragma once

#include <unistd.h>

#include <utility>

namespace mete {

// Holds the return value of open(2) and similar calls, including failure (-1):
// the caller checks open() and errno.
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
