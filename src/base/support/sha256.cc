#include "support/sha256.h"

// Uses the low-level functions: the newer EVP interface makes OpenSSL load its
// providers, which costs 2 MB that the agent has no use for.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <fcntl.h>
#include <openssl/sha.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "support/check.h"
#include "support/descriptor.h"

namespace mete {
namespace {

constexpr size_t kBlock = 1 << 18;

// These functions only fail on misuse.
class Digest {
 public:
  Digest() { CHECK(SHA256_Init(&context_) == 1) << "initialize SHA-256"; }
  void Add(const void* bytes, size_t count) {
    CHECK(SHA256_Update(&context_, bytes, count) == 1) << "digest";
  }
  std::string Hex() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
    CHECK(SHA256_Final(digest.data(), &context_) == 1) << "digest";
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (unsigned char byte : digest) {
      hex += kDigits[byte >> 4];
      hex += kDigits[byte & 15];
    }
    return hex;
  }

 private:
  SHA256_CTX context_;
};

}  // namespace

Result<std::string> Sha256OfFile(const std::filesystem::path& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return SystemError("read " + path.string(), errno);
  Digest digest;
  std::vector<char> block(kBlock);
  ssize_t got = 0;
  while ((got = read(file.number(), block.data(), block.size())) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError("read " + path.string(), errno);
    digest.Add(block.data(), static_cast<size_t>(got));
  }
  return digest.Hex();
}

std::string ComputeSha256(std::string_view text) {
  Digest digest;
  digest.Add(text.data(), text.size());
  return digest.Hex();
}

}  // namespace mete
