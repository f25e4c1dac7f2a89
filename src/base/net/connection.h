// A server's connection, plain or TLS, with the interface that Beast expects.
#pragma once

#include <memory>
#include <optional>
#include <utility>  // before Asio, which does not include it

// clang-format off: Asio's coroutines need <utility> first.
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/basic_stream.hpp>
// clang-format on

namespace mete {

// TCP or a Unix socket, chosen at run time.
using AnyProtocol = boost::asio::generic::stream_protocol;
// A socket with a time limit.
using PlainStream = boost::beast::basic_stream<AnyProtocol>;

// Type-erased completion handler of a read or write.
class Continuation {
 public:
  template <typename Handler>
  explicit Continuation(Handler handler)
      : held_(std::make_unique<Of<Handler>>(std::move(handler))) {}

  void operator()(const boost::system::error_code& error, size_t bytes) {
    held_->Go(error, bytes);
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual void Go(const boost::system::error_code& error, size_t bytes) = 0;
  };
  template <typename Handler>
  struct Of final : Any {
    explicit Of(Handler given) : handler(std::move(given)) {}
    void Go(const boost::system::error_code& error, size_t bytes) override {
      std::move(handler)(error, bytes);
    }
    Handler handler;
  };

  std::unique_ptr<Any> held_;
};

// A connection, plain or TLS, with the interface that Beast expects. The choice
// is made at run time, and TLS sees one type of buffer and one of handler:
// instantiating its code for each of Beast's types would double the size of the
// program.
class Connection {
 public:
  using executor_type = PlainStream::executor_type;

  explicit Connection(AnyProtocol::socket socket) : plain_(std::move(socket)) {}

  executor_type get_executor() noexcept { return plain_.get_executor(); }
  // The underlying stream with its socket and time limit.
  PlainStream& plain() { return plain_; }
  // Present between Secure() and Bare().
  std::optional<boost::asio::ssl::stream<PlainStream&>>& secure() {
    return secure_;
  }

  void Secure(SSL_CTX* shared) {
    SSL_CTX_up_ref(shared);  // the context below owns one reference
    boost::asio::ssl::context context(shared);
    secure_.emplace(plain_, context);
  }
  void Bare() { secure_.reset(); }

  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token,
                                       void(boost::system::error_code, size_t)>(
        [this](auto handler, const Buffers& into) {
          if (secure_) {
            secure_->async_read_some(First<boost::asio::mutable_buffer>(into),
                                     Continuation(std::move(handler)));
          } else {
            plain_.async_read_some(into, std::move(handler));
          }
        },
        token, buffers);
  }
  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token,
                                       void(boost::system::error_code, size_t)>(
        [this](auto handler, const Buffers& from) {
          if (secure_) {
            secure_->async_write_some(First<boost::asio::const_buffer>(from),
                                      Continuation(std::move(handler)));
          } else {
            plain_.async_write_some(from, std::move(handler));
          }
        },
        token, buffers);
  }

 private:
  // A TLS record holds one buffer anyway; the others follow.
  template <typename Buffer, typename Buffers>
  static Buffer First(const Buffers& buffers) {
    auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end;
         ++at) {
      Buffer buffer(*at);
      if (buffer.size() > 0) return buffer;
    }
    return {};
  }

  PlainStream plain_;
  std::optional<boost::asio::ssl::stream<PlainStream&>> secure_;
};

}  // namespace mete
