// Uses arbitrary text as a web configuration and as an Authorization header.
// Neither may crash, hang or grant access.
#include <cstddef>
#include <cstdint>
#include <string>

#include "support/check.h"
#include "support/clock.h"
#include "web/basic_auth.h"
#include "web/web_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  auto config = mete::ParseWebConfig(text, "/etc/web.yml");
  if (config.ok()) {
    for (const auto& [name, hash] : config->users) {
      CHECK(mete::CheckBcrypt(hash).ok());
    }
  }
  // No password has this hash, and it has the lowest cost.
  static const mete::SystemClock clock;
  mete::BasicAuth auth({{"ann", "$2y$04$" + std::string(53, '.')}}, clock);
  CHECK(auth.Refuse({.fields = {{"authorization", text}}}).has_value());
  return 0;
}
