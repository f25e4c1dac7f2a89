#include "serve/token.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <random>

#include "support/descriptor.h"
#include "support/file.h"
#include "support/private_folder.h"
#include "support/secret_file.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

constexpr Bytes kLargestFile = Kibibytes(64);

std::string DrawToken() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 8; ++i) token += fmt::format("{:08x}", device());
  return token;
}

// The lines without their ends and trailing blanks.
std::vector<std::string> TokenLines(const std::string& text) {
  std::vector<std::string> lines = SplitAt(text, '\n');
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
  }
  return lines;
}

bool IsComment(const std::string& line) { return line.starts_with('#'); }

// "read:TOKEN". Absent if the line does not begin with a role.
std::optional<AccessToken> ParseToken(const std::string& line) {
  for (Role role : {Role::kRead, Role::kSubmit, Role::kAdmin}) {
    const std::string start = std::string(ToString(role)) + ":";
    if (line.starts_with(start)) return {{role, line.substr(start.size())}};
  }
  return std::nullopt;
}

Result<std::vector<AccessToken>> ParseTokens(const std::string& text,
                                             const path& file) {
  std::vector<std::string> lines = TokenLines(text);
  const bool roles = std::ranges::any_of(lines, [](const std::string& line) {
    return ParseToken(line).has_value();
  });
  if (!roles) {
    auto first = std::ranges::find_if_not(lines, &IsComment);
    if (first == lines.end() || first->empty()) {
      return InvalidInput(file.string() + ": contains no token");
    }
    return std::vector{AccessToken{Role::kAdmin, *first}};
  }
  std::vector<AccessToken> tokens;
  for (size_t at = 0; at < lines.size(); ++at) {
    if (lines[at].empty() || IsComment(lines[at])) continue;
    auto token = ParseToken(lines[at]);
    if (!token || token->token.empty()) {
      return InvalidInput(
          fmt::format("{}:{}: expected read:TOKEN, "
                      "submit:TOKEN or admin:TOKEN",
                      file.string(), at + 1));
    }
    tokens.push_back(*std::move(token));
  }
  return tokens;
}

}  // namespace

Result<std::vector<AccessToken>> ReadTokens(const path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadRegularFile(file, kLargestFile));
  RETURN_IF_ERROR(CheckSecretFile(file, "the token"));
  return ParseTokens(text, file);
}

Result<std::vector<AccessToken>> ReadOrMakeTokens(const path& file) {
  RETURN_IF_ERROR(MakePrivateFolder(file.parent_path()));
  Descriptor made(
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made.open()) {
    if (errno == EEXIST) return ReadTokens(file);
    return SystemError("create " + file.string(), errno);
  }
  std::string token = DrawToken();
  std::string line = token + "\n";
  if (write(made.number(), line.data(), line.size()) !=
      static_cast<ssize_t>(line.size())) {
    int error = errno;
    unlink(file.c_str());
    return SystemError("write " + file.string(), error);
  }
  return std::vector{AccessToken{Role::kAdmin, token}};
}

}  // namespace mete
