#include <ATen/Parallel.h>
#include <dlfcn.h>
#undef CHECK  // ours comes below

#include "adapters/torch/libtorch_calls.h"

namespace mete {

std::string FirstLine(const std::exception& error) {
  std::string message = error.what();
  return message.substr(0, message.find('\n'));
}

void UseThreads(int threads) {
  at::set_num_threads(threads);
  // A BLAS with its own threads ignores libtorch's setting. The one that the
  // system selected is already loaded.
  using Setter = void (*)(int);
  auto set =
      reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(threads);
}

}  // namespace mete
