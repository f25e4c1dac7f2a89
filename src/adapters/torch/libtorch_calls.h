// Calls into libtorch: what it throws becomes an Error, and how many threads it
// may use. Nothing here shows libtorch.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "support/result.h"

namespace mete {

// The first line of what libtorch says; a stack trace follows it.
std::string FirstLineOf(const std::exception& error);

// `act` returns a Result. Memory that runs out is thrown on: that is the
// program's own end, not the library's.
template <typename Act>
auto Caught(const std::string& name, ErrorCode code, Act act)
    -> decltype(act()) {
  try {
    return act();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return Error(code, name + ": " + FirstLineOf(error));
  }
}

// libtorch's threads and those of its BLAS.
void UseThreads(int threads);

}  // namespace mete
