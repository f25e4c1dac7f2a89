#include "load/generated_request.h"

#include <fmt/format.h>

namespace mete {

HttpRequest GeneratedInferenceRequest(uint64_t items) {
  return {.method = "POST",
          .target = "/request-static",
          .fields = {{"content-type", "application/json"}},
          .body = fmt::format(R"({{"batch_size":{}}})", items)};
}

}  // namespace mete
