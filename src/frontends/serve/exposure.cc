#include "serve/exposure.h"

#include <fmt/format.h>

namespace mete {

Status CheckExposure(const Exposure& exposure) {
  const Endpoint& listen = exposure.listen;
  if (listen.local() || listen.loopback()) return {};
  if (exposure.token_file || exposure.certificates || exposure.insecure) {
    return {};
  }
  return InvalidInput(fmt::format(
      "--listen {}: other machines can reach this address; add --token-file "
      "FILE, or --web-config FILE that requires client certificates, or "
      "--insecure",
      listen.Authority()));
}

}  // namespace mete
