// The certificates of a server as OpenSSL wants them, read again when their
// files change.
#pragma once

#include <openssl/types.h>

#include <array>
#include <memory>

#include "net/http_server_tls.h"
#include "support/file_stamp.h"
#include "support/result.h"

namespace mete {

struct FreeTlsContext {
  void operator()(SSL_CTX* context) const;
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeTlsContext>;

// Nothing of OpenSSL is touched before this. Fails as CheckTls does.
Result<TlsContext> LoadTls(const HttpServerTls& tls);

// One thread.
class TlsFiles {
 public:
  static Result<std::unique_ptr<TlsFiles>> Open(HttpServerTls tls);

  // For the next connection, which shares it: what the files hold now, or held
  // last when they make no sense now. Looks at their times first: three calls
  // of stat(2).
  SSL_CTX* Current();

 private:
  using Stamps = std::array<FileStamp, 3>;

  explicit TlsFiles(HttpServerTls tls) : tls_(std::move(tls)) {}
  Stamps Look() const;

  HttpServerTls tls_;
  Stamps seen_;
  TlsContext context_;
};

}  // namespace mete
