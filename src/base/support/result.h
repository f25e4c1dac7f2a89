// Result<T>: a value, or an Error the caller can act on. Bugs are CHECKs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "support/check.h"

namespace mete {

// Error codes, chosen by what the caller can do, not by where the error arose.
enum class ErrorCode {
  kInvalidInput,      // the caller gave invalid input: correct it
  kNotFound,          // the named thing does not exist
  kUnavailable,       // an external part is missing or refuses: retry
  kTimeout,           // it took longer than allowed
  kPermissionDenied,  // this user lacks the permission
  kUnsupported,       // valid, but this build or machine cannot do it
  kCorrupt,           // stored or received bytes are invalid
  kInterrupted,       // the user asked to stop
};

// Why an operation failed, in one lower-case line: "read memory.max: permission
// denied".
class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message)
      : code_(code), message_(std::move(message)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }

  // The same error with the caller's context in front: "load lenet.onnx: …".
  Error While(const std::string& act) const {
    return Error(code_, act + ": " + message_);
  }

 private:
  ErrorCode code_;
  std::string message_;
};

inline Error InvalidInput(std::string message) {
  return Error(ErrorCode::kInvalidInput, std::move(message));
}
inline Error NotFound(std::string message) {
  return Error(ErrorCode::kNotFound, std::move(message));
}
inline Error Unavailable(std::string message) {
  return Error(ErrorCode::kUnavailable, std::move(message));
}
inline Error Unsupported(std::string message) {
  return Error(ErrorCode::kUnsupported, std::move(message));
}
inline Error Corrupt(std::string message) {
  return Error(ErrorCode::kCorrupt, std::move(message));
}

// The error of a failed system call: "<act>: <strerror(errno)>".
Error SystemError(const std::string& act, int error_number);

// A value or an error. Check ok() before using the value.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    CHECK(ok()) << "value() of a failed Result: " << error().message();
    return std::get<T>(state_);
  }
  T& value() & {
    CHECK(ok()) << "value() of a failed Result: " << error().message();
    return std::get<T>(state_);
  }
  T&& value() && {
    CHECK(ok()) << "value() of a failed Result: " << error().message();
    return std::get<T>(std::move(state_));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const { return std::get<Error>(state_); }

  Result While(const std::string& act) && {
    if (ok()) return std::move(*this);
    return error().While(act);
  }

 private:
  std::variant<T, Error> state_;
};

// The result of an operation without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

  Result While(const std::string& act) && {
    if (ok()) return {};
    return error().While(act);
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace mete

#define METE_CONCAT_INNER(a, b) a##b
#define METE_CONCAT(a, b) METE_CONCAT_INNER(a, b)

// RETURN_IF_ERROR(store.Save(run));
#define RETURN_IF_ERROR(expression)           \
  do {                                        \
    auto mete_status_ = (expression);         \
    if (!mete_status_.ok()) {                 \
      return std::move(mete_status_).error(); \
    }                                         \
  } while (false)

// ASSIGN_OR_RETURN(auto graph, reader.Read(path));
#define ASSIGN_OR_RETURN(declaration, expression)                          \
  ASSIGN_OR_RETURN_INNER(METE_CONCAT(mete_result_, __LINE__), declaration, \
                         expression)
#define ASSIGN_OR_RETURN_INNER(result, declaration, expression) \
  auto result = (expression);                                   \
  if (!result.ok()) return std::move(result).error();           \
  declaration = *std::move(result)
