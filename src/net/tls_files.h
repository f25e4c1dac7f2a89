// The certificates of a server as OpenSSL wants them, read again when their
// files change.
#pragma once

#include <openssl/types.h>
#include <sys/stat.h>

#include <array>
#include <memory>

#include "net/http_server_tls.h"
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
  // Time, size and inode of every file: a file may be replaced within the
  // resolution of its time.
  struct Stamp {
    int64_t seconds = 0;
    int64_t nanoseconds = 0;
    int64_t size = 0;
    uint64_t inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::array<Stamp, 3>;

  explicit TlsFiles(HttpServerTls tls) : tls_(std::move(tls)) {}
  Stamps Look() const;

  HttpServerTls tls_;
  Stamps seen_;
  TlsContext context_;
};

}  // namespace mete
