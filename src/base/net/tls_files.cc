#include "net/tls_files.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "support/secret_file.h"

namespace mete {
namespace {

// OpenSSL's first error, which is the cause of the others.
std::string Reason() {
  unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "unknown OpenSSL error" : reason;
}

int Number(TlsVersion version) {
  switch (version) {
    case TlsVersion::kTls10:
      return TLS1_VERSION;
    case TlsVersion::kTls11:
      return TLS1_1_VERSION;
    case TlsVersion::kTls12:
      return TLS1_2_VERSION;
    case TlsVersion::kTls13:
      break;
  }
  return TLS1_3_VERSION;
}

Status CheckReadable(const std::string& file) {
  if (access(file.c_str(), R_OK) == 0) return {};
  return SystemError("read " + file, errno);
}

// Without this, OpenSSL would prompt for a password on the terminal.
int NoPassword(char*, int, int, void*) { return -1; }

int AcceptAny(int, X509_STORE_CTX*) { return 1; }

Status UseCertificate(SSL_CTX* context, const HttpServerTls& tls) {
  RETURN_IF_ERROR(CheckReadable(tls.cert_file));
  RETURN_IF_ERROR(CheckReadable(tls.key_file));
  RETURN_IF_ERROR(CheckSecretFile(tls.key_file, "the private key"));
  if (SSL_CTX_use_certificate_chain_file(context, tls.cert_file.c_str()) != 1) {
    return InvalidInput(
        fmt::format("{}: not a certificate: {}", tls.cert_file, Reason()));
  }
  SSL_CTX_set_default_passwd_cb(context, &NoPassword);
  // This also compares the key with the certificate.
  if (SSL_CTX_use_PrivateKey_file(context, tls.key_file.c_str(),
                                  SSL_FILETYPE_PEM) == 1) {
    return {};
  }
  unsigned long code = ERR_peek_error();
  bool mismatch = ERR_GET_LIB(code) == ERR_LIB_X509;
  std::string reason = Reason();
  if (mismatch) {
    return InvalidInput(fmt::format("{} does not match the certificate {}",
                                    tls.key_file, tls.cert_file));
  }
  return InvalidInput(fmt::format(
      "{}: not a private key without a password: {}", tls.key_file, reason));
}

Status UseClientAuth(SSL_CTX* context, const HttpServerTls& tls) {
  bool verify = tls.client_auth == TlsClientAuth::kVerifyIfGiven ||
                tls.client_auth == TlsClientAuth::kRequireAndVerify;
  bool require = tls.client_auth == TlsClientAuth::kRequireAny ||
                 tls.client_auth == TlsClientAuth::kRequireAndVerify;
  if (verify && tls.client_ca_file.empty()) {
    return InvalidInput(
        "client certificates cannot be verified without a client CA file");
  }
  if (tls.client_auth == TlsClientAuth::kNone) {
    if (tls.client_ca_file.empty()) return {};
    return InvalidInput(
        "a client CA file is given, but client certificates are not requested");
  }
  if (!tls.client_ca_file.empty()) {
    const char* file = tls.client_ca_file.c_str();
    RETURN_IF_ERROR(CheckReadable(tls.client_ca_file));
    STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(file);
    if (names == nullptr ||
        SSL_CTX_load_verify_locations(context, file, nullptr) != 1) {
      sk_X509_NAME_pop_free(names, &X509_NAME_free);
      return InvalidInput(
          fmt::format("{}: not a certificate: {}", file, Reason()));
    }
    SSL_CTX_set_client_CA_list(context, names);
  }
  SSL_CTX_set_verify(
      context,
      SSL_VERIFY_PEER | (require ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
      verify ? nullptr : &AcceptAny);
  return {};
}

Status UseAlgorithms(SSL_CTX* context, const HttpServerTls& tls) {
  SSL_CTX_set_min_proto_version(context, Number(tls.min_version));
  SSL_CTX_set_max_proto_version(context, Number(tls.max_version));
  if (tls.min_version > tls.max_version) {
    return InvalidInput("the minimum TLS version is above the maximum");
  }
  std::vector<std::string_view> names;
  for (const std::string& suite : tls.cipher_suites) {
    // OpenSSL always offers the suites of TLS 1.3.
    std::string_view name = OPENSSL_cipher_name(suite.c_str());
    if (name == "(NONE)") {
      return InvalidInput(fmt::format("unknown cipher suite '{}'", suite));
    }
    if (name.starts_with("TLS_")) continue;
    names.push_back(name);
  }
  const std::string ciphers = fmt::format("{}", fmt::join(names, ":"));
  if (!ciphers.empty() &&
      SSL_CTX_set_cipher_list(context, ciphers.c_str()) != 1) {
    return InvalidInput(fmt::format("cipher suites: {}", Reason()));
  }
  const std::string curves = fmt::format("{}", fmt::join(tls.curves, ":"));
  if (!curves.empty() &&
      SSL_CTX_set1_groups_list(context, curves.c_str()) != 1) {
    return InvalidInput(fmt::format("curves '{}': {}", curves, Reason()));
  }
  return {};
}

}  // namespace

void FreeTlsContext::operator()(SSL_CTX* context) const {
  SSL_CTX_free(context);
}

Result<TlsContext> LoadTls(const HttpServerTls& tls) {
  ERR_clear_error();
  TlsContext context(SSL_CTX_new(TLS_server_method()));
  if (!context) return Unavailable("set up TLS: " + Reason());
  // No session resumption: clients are verified again after the files change,
  // and nothing is kept for clients that do not return.
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(
      context.get(),
      SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
          (tls.prefer_server_ciphers ? SSL_OP_CIPHER_SERVER_PREFERENCE : 0));
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  RETURN_IF_ERROR(UseAlgorithms(context.get(), tls));
  RETURN_IF_ERROR(UseCertificate(context.get(), tls));
  RETURN_IF_ERROR(UseClientAuth(context.get(), tls));
  return context;
}

Status CheckTls(const HttpServerTls& tls) {
  auto loaded = LoadTls(tls);
  if (!loaded.ok()) return loaded.error();
  return {};
}

Result<std::unique_ptr<TlsFiles>> TlsFiles::Open(HttpServerTls tls) {
  std::unique_ptr<TlsFiles> files(new TlsFiles(std::move(tls)));
  files->seen_ = files->Look();
  ASSIGN_OR_RETURN(files->context_, LoadTls(files->tls_));
  return files;
}

SSL_CTX* TlsFiles::Current() {
  Stamps now = Look();
  if (now == seen_) return context_.get();
  seen_ = now;
  auto loaded = LoadTls(tls_);
  if (loaded.ok()) {
    context_ = *std::move(loaded);
  } else if (tls_.warn) {
    tls_.warn("cannot use the new certificates: " + loaded.error().message());
  }
  return context_.get();
}

TlsFiles::Stamps TlsFiles::Look() const {
  return {ReadFileStamp(tls_.cert_file), ReadFileStamp(tls_.key_file),
          ReadFileStamp(tls_.client_ca_file)};
}

}  // namespace mete
