// CHECK(condition) << "why": aborts on a bug and prints file and line.
#pragma once

#include <sstream>

namespace mete::internal {

// Collects the message and aborts at the end of the full expression.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* condition);
  CheckFailure(const CheckFailure&) = delete;
  CheckFailure& operator=(const CheckFailure&) = delete;
  [[noreturn]] ~CheckFailure();
  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
};

// Lower precedence than << and higher than ?:, so CHECK is an expression.
struct Voidify {
  void operator&(std::ostream&) const {}
};

}  // namespace mete::internal

#define CHECK(condition)                                                   \
  (condition)                                                              \
      ? (void)0                                                            \
      : ::mete::internal::Voidify() &                                      \
            ::mete::internal::CheckFailure(__FILE__, __LINE__, #condition) \
                .stream()
