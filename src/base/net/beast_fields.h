// Conversions of Beast's messages and errors that client and server share.
// Heavy; only those two files include it.
#pragma once

#include <boost/beast/http.hpp>
#include <string>

#include "net/http.h"

namespace mete {

template <typename Message>
HttpFields ToFields(const Message& message) {
  HttpFields fields;
  for (const auto& field : message) {
    std::string name(field.name_string());
    for (char& c : name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    fields.insert_or_assign(name, std::string(field.value()));
  }
  return fields;
}

// The category of errors in an HTTP message itself.
inline const boost::system::error_category& HttpErrors() {
  return boost::beast::http::make_error_code(
             boost::beast::http::error::bad_version)
      .category();
}

// Our messages begin in lower case.
inline std::string LowerFirst(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

}  // namespace mete
