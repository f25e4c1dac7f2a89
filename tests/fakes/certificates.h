// Generates keys and certificates for tests of TLS, so that none expires.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

#include "support/check.h"

namespace mete {

// A certificate with its key.
class Identity {
 public:
  // `name` is the subject: "IP:127.0.0.1", "DNS:x.example". `issuer` signs the
  // certificate; without one it is self-signed.
  explicit Identity(const std::string& name, const Identity* issuer = nullptr)
      : key_(EVP_EC_gen("P-256"), &EVP_PKEY_free),
        certificate_(X509_new(), &X509_free) {
    X509* made = certificate_.get();
    X509_set_version(made, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made), issuer == nullptr ? 1 : 2);
    X509_gmtime_adj(X509_getm_notBefore(made), -60);
    X509_gmtime_adj(X509_getm_notAfter(made), 3600);
    X509_set_pubkey(made, key_.get());
    X509_NAME* subject = X509_get_subject_name(made);
    const auto* common = reinterpret_cast<const unsigned char*>(name.c_str());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, common, -1, -1, 0);
    const Identity& signer = issuer == nullptr ? *this : *issuer;
    X509_set_issuer_name(made,
                         X509_get_subject_name(signer.certificate_.get()));
    Add(NID_subject_alt_name, name.c_str());
    if (issuer == nullptr) Add(NID_basic_constraints, "critical,CA:TRUE");
    CHECK(X509_sign(made, signer.key_.get(), EVP_sha256()) > 0);
  }

  void Use(SSL_CTX* context) const {
    CHECK(SSL_CTX_use_certificate(context, certificate_.get()) == 1);
    CHECK(SSL_CTX_use_PrivateKey(context, key_.get()) == 1);
  }
  void WriteCertificate(const std::filesystem::path& path) const {
    FILE* file = fopen(path.c_str(), "w");
    CHECK(file != nullptr && PEM_write_X509(file, certificate_.get()) == 1);
    fclose(file);
  }
  void WriteKey(const std::filesystem::path& path) const {
    FILE* file = fopen(path.c_str(), "w");
    // Servers refuse a key that every user can read.
    CHECK(file != nullptr && fchmod(fileno(file), 0600) == 0);
    CHECK(PEM_write_PrivateKey(file, key_.get(), nullptr, nullptr, 0, nullptr,
                               nullptr) == 1);
    fclose(file);
  }

 private:
  void Add(int kind, const char* value) {
    X509_EXTENSION* made = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
    CHECK(made != nullptr) << value;
    X509_add_ext(certificate_.get(), made, -1);
    X509_EXTENSION_free(made);
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  std::unique_ptr<X509, decltype(&X509_free)> certificate_;
};

}  // namespace mete
