// Wrappers for calls into libtorch: exceptions become Errors, and the number of
// threads is set. Does not expose libtorch.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "support/result.h"

namespace mete {

// The first line of libtorch's message, which a stack trace follows.
std::string FirstLine(const std::exception& error);

// `act` returns a Result. Rethrows std::bad_alloc: running out of memory must
// end the program, not only this call.
template <typename Act>
auto Caught(const std::string& name, ErrorCode code, Act act)
    -> decltype(act()) {
  try {
    return act();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return Error(code, name + ": " + FirstLine(error));
  }
}

// Sets the threads of libtorch and of its BLAS.
void UseThreads(int threads);

}  // namespace mete
