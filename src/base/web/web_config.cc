#include "web/web_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/file.h"
#include "support/nearest.h"
#include "support/yaml.h"

namespace mete {
namespace {

using std::filesystem::path;

// Allowed words with their values.
template <typename Value>
using Choices = std::vector<std::pair<std::string, Value>>;

template <typename Value>
auto OneOf(Choices<Value> choices) {
  return [choices](const std::string& word) -> Result<Value> {
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (name == word) return value;
      names.push_back(name);
    }
    return InvalidInput(fmt::format("'{}' is not one of {}{}", word,
                                    fmt::join(names, ", "),
                                    DidYouMean(word, names)));
  };
}

auto ParseVersion() {
  return OneOf<TlsVersion>({{"TLS13", TlsVersion::kTls13},
                            {"TLS12", TlsVersion::kTls12},
                            {"TLS11", TlsVersion::kTls11},
                            {"TLS10", TlsVersion::kTls10}});
}

auto ParseClientAuth() {
  return OneOf<TlsClientAuth>(
      {{"NoClientCert", TlsClientAuth::kNone},
       {"RequestClientCert", TlsClientAuth::kRequest},
       {"RequireAnyClientCert", TlsClientAuth::kRequireAny},
       {"RequireClientCert", TlsClientAuth::kRequireAny},  // its older name
       {"VerifyClientCertIfGiven", TlsClientAuth::kVerifyIfGiven},
       {"RequireAndVerifyClientCert", TlsClientAuth::kRequireAndVerify}});
}

YamlTaker TakePath(const path& folder, std::string& target) {
  return TakeText(
      [folder](const std::string& text) -> Result<std::string> {
        if (text.empty()) return InvalidInput("expected a file name");
        return (folder / text).string();  // an absolute path stays unchanged
      },
      target);
}

YamlTaker TakeList(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(target, YamlTexts(value));
    return {};
  };
}

// Translates the toolkit's names of curves to those of OpenSSL.
YamlTaker TakeCurves(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto names, YamlTexts(value));
    auto parse = OneOf<std::string>({{"CurveP256", "P-256"},
                                     {"CurveP384", "P-384"},
                                     {"CurveP521", "P-521"},
                                     {"X25519", "X25519"}});
    for (const std::string& name : names) {
      ASSIGN_OR_RETURN(std::string curve, parse(name));
      target.push_back(curve);
    }
    return {};
  };
}

// For keys of the toolkit that mete does not support.
YamlTaker Refused(std::string why) {
  return [why = std::move(why)](const YamlValue&) -> Status {
    return Unsupported(why);
  };
}

Status TakeTls(const YamlValue& block, const path& folder, WebConfig& config) {
  if (block.kind == YamlValue::Kind::kNothing) return {};
  HttpServerTls tls;
  RETURN_IF_ERROR(ReadYamlMap(
      block,
      {{"cert_file", TakePath(folder, tls.cert_file)},
       {"key_file", TakePath(folder, tls.key_file)},
       {"client_auth_type", TakeText(ParseClientAuth(), tls.client_auth)},
       {"client_ca_file", TakePath(folder, tls.client_ca_file)},
       {"min_version", TakeText(ParseVersion(), tls.min_version)},
       {"max_version", TakeText(ParseVersion(), tls.max_version)},
       {"cipher_suites", TakeList(tls.cipher_suites)},
       {"prefer_server_cipher_suites", TakeTruth(tls.prefer_server_ciphers)},
       {"curve_preferences", TakeCurves(tls.curves)},
       {"cert", Refused("is not supported; use cert_file")},
       {"key", Refused("is not supported; use key_file")},
       {"client_ca", Refused("is not supported; use client_ca_file")},
       {"client_allowed_sans", Refused("is not supported; use a client_ca_file "
                                       "that signs only allowed clients")}},
      "tls_server_config."));
  if (tls.cert_file.empty()) return block.Fail("TLS requires a cert_file");
  if (tls.key_file.empty()) return block.Fail("TLS requires a key_file");
  config.tls = std::move(tls);
  return {};
}

// Sets a header of every response. A blank value omits it, as in the toolkit.
YamlTaker TakeHeader(HttpFields& fields, std::string name,
                     Choices<std::string> allowed = {}) {
  return [&fields, name = std::move(name),
          allowed = std::move(allowed)](const YamlValue& value) -> Status {
    std::string text;
    RETURN_IF_ERROR(TakeText(text)(value));
    if (text.empty()) return {};
    // A line break could inject another header.
    if (std::ranges::any_of(text, [](char c) {
          return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        })) {
      return InvalidInput("expected a single line");
    }
    if (!allowed.empty()) {
      auto checked = OneOf(allowed)(text);
      if (!checked.ok()) return checked.error();
    }
    fields[name] = text;
    return {};
  };
}

Status TakeHeaders(const YamlValue& block, HttpFields& fields) {
  return ReadYamlMap(
      block,
      {{"Content-Security-Policy",
        TakeHeader(fields, "content-security-policy")},
       {"X-Frame-Options", TakeHeader(fields, "x-frame-options",
                                      {{"deny", ""}, {"sameorigin", ""}})},
       {"X-Content-Type-Options",
        TakeHeader(fields, "x-content-type-options", {{"nosniff", ""}})},
       {"X-XSS-Protection", TakeHeader(fields, "x-xss-protection")},
       {"Strict-Transport-Security",
        TakeHeader(fields, "strict-transport-security")}},
      "http_server_config.headers.");
}

Status TakeHttp2(const YamlValue& value) {
  bool requested = false;
  RETURN_IF_ERROR(TakeTruth(requested)(value));
  if (!requested) return {};
  return Unsupported("mete supports only HTTP/1.1; set it to false");
}

Status TakeHttp(const YamlValue& block, WebConfig& config) {
  return ReadYamlMap(block,
                     {{"http2", &TakeHttp2},
                      {"headers",
                       [&config](const YamlValue& value) {
                         return TakeHeaders(value, config.headers);
                       }}},
                     "http_server_config.");
}

Status TakeUsers(const YamlValue& block, BasicAuthUsers& users) {
  if (block.kind == YamlValue::Kind::kNothing) return {};
  if (block.kind != YamlValue::Kind::kMap) {
    return block.Fail("basic_auth_users: expected 'name: hash' lines");
  }
  for (const YamlEntry& entry : block.entries) {
    if (entry.key.find(':') != std::string::npos) {
      return entry.value.Fail("a user name must not contain a colon");
    }
    // Messages go to logs, and the hash is a secret: do not print it.
    Status checked = CheckBcrypt(entry.value.text);
    if (!checked.ok()) {
      return entry.value.Fail(fmt::format("password of '{}': {}", entry.key,
                                          checked.error().message()));
    }
    users.emplace(entry.key, entry.value.text);
  }
  return {};
}

}  // namespace

Result<WebConfig> ParseWebConfig(const std::string& text, const path& file) {
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file.string()));
  WebConfig config{.blank = text.find_first_not_of(" \t\r\n") == text.npos};
  RETURN_IF_ERROR(ReadYamlMap(
      root,
      {{"tls_server_config",
        [&](const YamlValue& value) {
          return TakeTls(value, file.parent_path(), config);
        }},
       {"http_server_config",
        [&](const YamlValue& value) { return TakeHttp(value, config); }},
       {"basic_auth_users",
        [&](const YamlValue& value) { return TakeUsers(value, config.users); }},
       {"rate_limit", Refused("is not supported")}}));
  return config;
}

Result<WebConfig> ReadWebConfig(const path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  ASSIGN_OR_RETURN(WebConfig config, ParseWebConfig(text, file));
  if (config.tls) {
    Status checked = CheckTls(*config.tls);
    if (!checked.ok()) return checked.error().While(file.string());
  }
  return config;
}

}  // namespace mete
