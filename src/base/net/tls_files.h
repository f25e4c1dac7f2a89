// A server's certificates as an OpenSSL context, loaded again when the files
// change.
#pragma once

#include <openssl/types.h>

#include <array>
#include <memory>

#include "net/http_server_tls.h"
#include "support/file_stamp.h"
#include "support/result.h"

namespace mete {

// Deleter of an SSL_CTX.
struct FreeTlsContext {
  void operator()(SSL_CTX* context) const;
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeTlsContext>;

// Does not initialize OpenSSL before it is called. Fails like CheckTls.
Result<TlsContext> LoadTls(const HttpServerTls& tls);

// Keeps the context up to date with its files. Not thread-safe.
class TlsFiles {
 public:
  static Result<std::unique_ptr<TlsFiles>> Open(HttpServerTls tls);

  // The context for the next connection: that of the current files, or the
  // previous one if they are invalid. Checks the file times first, which costs
  // three calls of stat(2).
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
