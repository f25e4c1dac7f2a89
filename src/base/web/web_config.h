// The web configuration file of the Prometheus exporter toolkit: TLS
// certificates, response headers, and users with their passwords.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "net/http.h"
#include "net/http_server_tls.h"
#include "support/result.h"
#include "web/basic_auth.h"

namespace mete {

// The contents of the file.
struct WebConfig {
  std::optional<HttpServerTls> tls;  // absent: plain HTTP
  HttpFields headers;                // of every response
  BasicAuthUsers users;              // empty: no authentication
  bool blank = false;  // the file is empty, as while it is being written
};

// Paths in the file are relative to its directory. Fails with kInvalidInput and
// "FILE:LINE: …" for invalid or unknown keys, and also for keys of the toolkit
// that mete does not support: ignoring a security rule would be worse than not
// starting.
Result<WebConfig> ParseWebConfig(const std::string& text,
                                 const std::filesystem::path& file);

// Reads and parses a file, and checks the certificates it names.
Result<WebConfig> ReadWebConfig(const std::filesystem::path& file);

}  // namespace mete
