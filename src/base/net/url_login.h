// User name and password in a URL: "https://me:hush@host".
#pragma once

#include <string>
#include <string_view>

#include "net/http.h"
#include "support/result.h"

namespace mete {

// A URL that is safe to show, and the credentials taken out of it.
struct LoginUrl {
  std::string url;  // without the credentials
  std::string name;
  std::string password;

  // The Authorization field; empty without credentials.
  HttpFields Fields() const;
};

// Fails with kInvalidInput when the password is missing or the credentials
// cannot be decoded; the message does not repeat them. Does not check the rest.
Result<LoginUrl> SplitLogin(std::string_view text);

// The URL for a log: without credentials and without the query, which may hold
// a secret too. Of the path, only the first part: chat services put a secret
// into the others.
std::string RedactUrl(std::string_view text);

}  // namespace mete
