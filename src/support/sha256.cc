#include "support/sha256.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include "support/check.h"
#include "support/descriptor.h"

namespace mete {
namespace {

constexpr size_t kBlock = 1 << 18;

// OpenSSL's digest context, whose calls only fail on misuse or out of memory.
class Digest {
 public:
  Digest() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    CHECK(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1)
        << "no SHA-256";
  }
  void Add(const void* bytes, size_t count) {
    CHECK(EVP_DigestUpdate(context_.get(), bytes, count) == 1) << "digest";
  }
  std::string Hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned length = 0;
    CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1)
        << "digest";
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (unsigned i = 0; i < length; ++i) {
      hex += kDigits[digest[i] >> 4];
      hex += kDigits[digest[i] & 15];
    }
    return hex;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
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

std::string Sha256Of(std::string_view text) {
  Digest digest;
  digest.Add(text.data(), text.size());
  return digest.Hex();
}

}  // namespace mete
