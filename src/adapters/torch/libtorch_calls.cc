#include <ATen/Parallel.h>
#include <dlfcn.h>
#undef CHECK  // ours comes below

#include "adapters/torch/libtorch_calls.h"

namespace mete {

std::string FirstLineOf(const std::exception& error) {
  std::string message = error.what();
  return message.substr(0, message.find('\n'));
}

void UseThreads(int threads) {
  at::set_num_threads(threads);
  // A BLAS of its own threads does not listen to libtorch. Whichever one the
  // system chose is already loaded.
  using Setter = void (*)(int);
  auto set =
      reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(threads);
}

}  // namespace mete
