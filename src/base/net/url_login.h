// Name and password in front of a server's name: "https://me:hush@host".
#pragma once

#include <string>
#include <string_view>

#include "net/http.h"
#include "support/result.h"

namespace mete {

// An address that may be shown to anybody, and who asks there.
struct LoginUrl {
  std::string url;  // without the login
  std::string name;
  std::string password;

  // What tells the server; empty without a login.
  HttpFields Fields() const;
};

// Fails with kInvalidInput for a login without a password or with what cannot
// be decoded; the message does not repeat it. The rest is not looked at.
Result<LoginUrl> SplitLogin(std::string_view text);

}  // namespace mete
