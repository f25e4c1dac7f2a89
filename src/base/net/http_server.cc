#include "net/http_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <thread>
#include <utility>  // before Asio, which does not include it

// clang-format off: Asio's coroutines need <utility> first.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
// clang-format on

#include "net/beast_fields.h"
#include "net/connected_clients.h"
#include "net/connection.h"
#include "net/listening_socket.h"
#include "net/outstanding.h"
#include "net/request_body.h"
#include "net/request_refusals.h"
#include "net/tls_files.h"

namespace mete {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

// Limit on bytes read but not yet parsed. Beast limits the header (8 KiB), but
// not the text before a chunk.
constexpr size_t kMostUnparsed = 64u << 10;
// Bodies up to this size count as short.
constexpr uint64_t kShortBody = RequestBody::kInMemory;
// How long to drain input after an early response.
constexpr std::chrono::milliseconds kLinger = std::chrono::seconds(2);
constexpr size_t kMostLingering = 64u << 20;

template <typename Head>
HttpRequest ToRequest(const Head& head, const std::string& address) {
  return {.method = std::string(head.method_string()),
          .target = std::string(head.target()),
          .fields = ToFields(head),
          .body = "",
          .peer = address};
}

// True if the client has closed the connection. Data it sent before, such as
// a second request, does not hide that.
bool Gone(Connection& connection) {
  pollfd peer{.fd = connection.plain().socket().native_handle(),
              .events = POLLRDHUP,
              .revents = 0};
  return poll(&peer, 1, 0) > 0;
}

http::response<http::string_body> ToBeast(HttpReply& reply, unsigned version,
                                          bool keep) {
  http::response<http::string_body> response;
  response.version(version);
  response.result(static_cast<unsigned>(reply.response.status));
  for (const auto& [name, value] : reply.response.fields) {
    response.set(name, value);
  }
  response.keep_alive(keep && !reply.pieces);
  if (reply.pieces) return response;
  response.body() = std::move(reply.response.body);
  response.prepare_payload();
  return response;
}

// How requests are answered: one of the two.
struct Handlers {
  HttpHandler now;
  HttpLaterHandler later;
};

class BeastServer final : public HttpServer {
 public:
  BeastServer(HttpServerSettings settings, Handlers handlers)
      : settings_(std::move(settings)),
        handler_(std::move(handlers.now)),
        later_(std::move(handlers.later)),
        local_(context_),
        tcp_(context_),
        handlers_(settings_.threads) {}

  ~BeastServer() override {
    stopping_ = true;
    StopListening();
    promised_->Close();
    handlers_.join();
    context_.stop();
    if (thread_.joinable()) thread_.join();
    if (listening_ && settings_.listen.local()) {
      unlink(settings_.listen.socket.c_str());
    }
  }

  Status Listen() {
    if (settings_.tls) {
      if (settings_.listen.local()) {
        return Unsupported("TLS is not supported on a Unix socket");
      }
      ASSIGN_OR_RETURN(tls_files_, TlsFiles::Open(*settings_.tls));
      settings_.listen.tls = true;
    }
    error_code error;
    if (settings_.listen.local()) {
      ListenLocal(error);
    } else {
      ListenTcp(error);
    }
    if (error) return ListenError(settings_.listen, error);
    listening_ = true;
    thread_ = std::jthread([this] { context_.run(); });
    return {};
  }

  Endpoint endpoint() const override { return settings_.listen; }

  bool Drain(std::chrono::milliseconds at_most) override {
    draining_ = true;
    StopListening();
    return underway_.WaitFor(at_most);
  }

 private:
  void StopListening() {
    asio::post(context_, [this] {
      error_code ignored;
      local_.close(ignored);
      tcp_.close(ignored);
    });
  }

  void ListenLocal(error_code& error) {
    if (settings_.listen.socket.size() > kLongestSocketPath) {
      error = asio::error::name_too_long;
      return;
    }
    asio::local::stream_protocol::endpoint place(settings_.listen.socket);
    RemoveDead(context_, place);
    if (OpenAcceptor(local_, place, error)) {
      asio::co_spawn(context_, Accept(local_), asio::detached);
    }
  }

  void ListenTcp(error_code& error) {
    asio::ip::tcp::resolver resolver(context_);
    auto found = resolver.resolve(settings_.listen.host,
                                  std::to_string(settings_.listen.port), error);
    if (error) return;
    if (!OpenAcceptor(tcp_, found.begin()->endpoint(), error)) return;
    settings_.listen.port = tcp_.local_endpoint(error).port();
    asio::co_spawn(context_, Accept(tcp_), asio::detached);
  }

  template <typename Acceptor>
  asio::awaitable<void> Accept(Acceptor& acceptor) {
    while (!stopping_) {
      error_code error;
      typename Acceptor::protocol_type::socket socket(context_);
      co_await acceptor.async_accept(
          socket, asio::redirect_error(asio::use_awaitable, error));
      if (!acceptor.is_open()) co_return;
      if (error) {  // out of descriptors: some will be closed
        if (error == boost::system::errc::too_many_files_open) {
          clients_.MakeRoom();
        }
        asio::steady_timer pause(context_, std::chrono::milliseconds(50));
        co_await pause.async_wait(
            asio::redirect_error(asio::use_awaitable, error));
        continue;
      }
      if (clients_.count() >= settings_.most_connections &&
          !clients_.MakeRoom()) {
        continue;  // closes it
      }
      std::string address = ReadAddress(socket);
      asio::co_spawn(
          context_,
          Serve(AnyProtocol::socket(std::move(socket)), std::move(address)),
          asio::detached);
    }
  }

  // Serves the requests of one connection.
  asio::awaitable<void> Serve(AnyProtocol::socket socket, std::string address) {
    Connection connection(std::move(socket));
    Slot slot(clients_, connection.plain(), std::move(address));
    if (tls_files_ && !co_await ShakeHands(connection)) co_return;
    beast::flat_buffer buffer(kMostUnparsed);
    while (!stopping_ && !draining_ &&
           co_await ServeOne(connection, slot, buffer)) {
    }
    if (connection.secure()) co_await SayGoodbye(connection);
    error_code ignored;
    connection.plain().socket().shutdown(AnyProtocol::socket::shutdown_send,
                                         ignored);
  }

  asio::awaitable<bool> ShakeHands(Connection& connection) {
    error_code error;
    // Every buffer becomes its own record, and many are small: the second would
    // wait until the first is acknowledged.
    connection.plain().socket().set_option(asio::ip::tcp::no_delay(true),
                                           error);
    connection.Secure(tls_files_->Current());
    connection.plain().expires_after(settings_.patience);
    co_await connection.secure()->async_handshake(
        asio::ssl::stream_base::server,
        asio::redirect_error(asio::use_awaitable, error));
    if (error.category() == asio::error::get_ssl_category() &&
        ERR_GET_REASON(static_cast<unsigned long>(error.value())) ==
            SSL_R_HTTP_REQUEST) {
      connection.Bare();
      co_await Reject(connection, 11, false,
                      Refusal(http::status::bad_request, "bad_request",
                              "this server requires TLS; use https"));
    }
    co_return !error;
  }

  // Without close_notify, a body that ends with the connection could have been
  // truncated by an attacker.
  asio::awaitable<void> SayGoodbye(Connection& connection) {
    error_code ignored;
    connection.plain().expires_after(std::min(settings_.patience, kLinger));
    co_await connection.secure()->async_shutdown(
        asio::redirect_error(asio::use_awaitable, ignored));
  }

  // Returns false when the connection should be closed.
  asio::awaitable<bool> ServeOne(Connection& connection, Slot& slot,
                                 beast::flat_buffer& buffer) {
    error_code error;
    auto waiting = [&error] {
      return asio::redirect_error(asio::use_awaitable, error);
    };
    http::request_parser<RequestBody> parser;
    // Boost 1.74 checks the announced length while it reads the header.
    parser.body_limit(std::numeric_limits<uint64_t>::max());
    // For the whole header: a byte now and then does not extend it.
    connection.plain().expires_after(settings_.patience);
    co_await http::async_read_header(connection, buffer, parser, waiting());
    OneOutstanding underway(underway_);
    slot.Progress();
    HttpRequest request;
    BodyShare share(body_bytes_);
    std::optional<HttpReply> refused;
    bool keep = false;  // the connection, after a refusal
    if (error) {
      refused = RefusalFor(error);
    } else {
      request = ToRequest(parser.get(), slot.address());
      refused = RefuseMalformed(parser);
      if (!refused && settings_.pace) {
        refused = settings_.pace(request);
        keep = parser.is_done() && parser.keep_alive();
      }
      if (!refused) refused = RefuseHead(parser, request);
    }
    if (!error && !refused && !parser.is_done()) {
      if (settings_.spool_folder) {
        parser.get().body().folder =
            settings_.spool_folder(request.method, request.target);
      }
      co_await Invite(connection, parser);
      connection.plain().expires_after(
          settings_.patience +
          std::chrono::seconds(ReadLength(parser, LimitFor(request)) /
                               kShortBody));
      while (!error && !refused && !parser.is_done()) {
        co_await http::async_read_some(connection, buffer, parser, waiting());
        slot.Progress();
        refused = error ? RefusalFor(error) : RefuseShare(parser, share);
      }
    }
    if (!parser.get().body().failure.ok()) {
      refused = Refusal(http::status::insufficient_storage, "no_space",
                        "the server cannot keep the body");
    } else if (error == http::error::body_limit) {
      refused = TooLarge(request);
    }
    if (refused) {
      parser.get().body() = {};
      share.Set(0);
      const unsigned version =
          parser.is_header_done() ? parser.get().version() : 11;
      const bool head = parser.get().method() == http::verb::head;
      if (keep && head) {
        co_return co_await SendHead(connection, version, *std::move(refused),
                                    keep);
      }
      if (keep) {
        co_return co_await Send(connection, slot, version, *std::move(refused),
                                keep);
      }
      co_return co_await Reject(connection, version, head, *std::move(refused));
    }
    if (error) co_return false;
    keep = parser.keep_alive();
    unsigned version = parser.get().version();
    RequestBody::value_type& body = parser.get().body();
    request.body = std::move(body.text);
    request.spooled = std::move(body.spooled);
    bool head = request.method == "HEAD";
    slot.SetBusy(true);
    HttpReply reply = co_await Answer(request);
    slot.SetBusy(false);
    request = {};  // a body is not kept while the response is sent
    share.Set(0);
    if (draining_) keep = false;
    if (head) {
      co_return co_await SendHead(connection, version, std::move(reply), keep);
    }
    co_return co_await Send(connection, slot, version, std::move(reply), keep);
  }

  // Judges a request by its head, before its body is read.
  template <typename Parser>
  std::optional<HttpReply> RefuseHead(Parser& parser,
                                      const HttpRequest& request) const {
    const Bytes limit = LimitFor(request);
    parser.body_limit(limit.count);
    if (parser.content_length().value_or(0) > limit.count) {
      return TooLarge(request);
    }
    if (parser.is_done() || !settings_.admit) return std::nullopt;
    return settings_.admit(request);
  }

  // Counts what has arrived of a body.
  template <typename Parser>
  std::optional<HttpReply> RefuseShare(const Parser& parser,
                                       BodyShare& share) const {
    const size_t arrived = parser.get().body().size();
    if (arrived <= kShortBody) return std::nullopt;
    share.Set(arrived);
    if (body_bytes_ <= settings_.most_body_bytes.count) return std::nullopt;
    return Refusal(http::status::service_unavailable, "unavailable",
                   "too many large bodies at once; try again later");
  }

  HttpReply TooLarge(const HttpRequest& request) const {
    return Refusal(http::status::payload_too_large, "too_large",
                   "the body is larger than " + FormatBytes(LimitFor(request)));
  }

  Bytes LimitFor(const HttpRequest& request) const {
    if (!settings_.body_limit) return settings_.largest_body;
    return settings_.body_limit(request.method, request.target);
  }

  // Clients with a large body wait a second for permission to send it.
  template <typename Parser>
  static asio::awaitable<void> Invite(Connection& connection,
                                      const Parser& parser) {
    if (!beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      co_return;
    }
    error_code ignored;  // the next read reports it
    static constexpr std::string_view kLeave = "HTTP/1.1 100 Continue\r\n\r\n";
    co_await asio::async_write(
        connection, asio::buffer(kLeave),
        asio::redirect_error(asio::use_awaitable, ignored));
  }

  asio::awaitable<HttpReply> Answer(const HttpRequest& request) {
    if (later_) co_return co_await AnswerLater(request);
    if (settings_.quick && settings_.quick(request))
      co_return handler_(request);
    co_return co_await asio::co_spawn(handlers_, Call(request),
                                      asio::use_awaitable);
  }

  // Suspends until the handler's answer arrives, which may be on any thread.
  asio::awaitable<HttpReply> AnswerLater(const HttpRequest& request) {
    if (!promised_->Add()) {
      co_return Refusal(http::status::service_unavailable, "unavailable",
                        "the server is shutting down");
    }
    auto start = [this, &request](auto resume) {
      // std::function needs something that can be copied.
      auto kept = std::make_shared<decltype(resume)>(std::move(resume));
      HttpResponder answer = [this, kept,
                              promised = promised_](HttpReply reply) {
        // Whoever called may hold this function longer than the server lives,
        // so it must not keep the coroutine.
        asio::post(context_, [resume = std::move(*kept),
                              reply = std::move(reply)]() mutable {
          std::move(resume)(std::move(reply));
        });
        promised->Remove();
      };
      if (settings_.quick && settings_.quick(request)) {
        later_(request, std::move(answer));
        return;
      }
      asio::post(handlers_,
                 [this, &request, answer = std::move(answer)]() mutable {
                   later_(request, std::move(answer));
                 });
    };
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<>,
                                            void(HttpReply)>(
        std::move(start), asio::use_awaitable);
  }

  // The next two run on the handler threads.
  asio::awaitable<HttpReply> Call(const HttpRequest& request) {
    co_return handler_(request);
  }
  static asio::awaitable<std::optional<std::string>> Ask(
      const std::function<std::optional<std::string>()>& pieces) {
    co_return pieces();
  }

  // Sends the head of a response to GET without its body.
  asio::awaitable<bool> SendHead(Connection& connection, unsigned version,
                                 HttpReply reply, bool keep) {
    error_code error;
    auto response = ToBeast(reply, version, keep);
    http::response_serializer<http::string_body> serializer(response);
    connection.plain().expires_after(settings_.patience);
    co_await http::async_write_header(
        connection, serializer,
        asio::redirect_error(asio::use_awaitable, error));
    co_return keep && !reply.pieces && !error;
  }

  asio::awaitable<bool> Send(Connection& connection, Slot& slot,
                             unsigned version, HttpReply reply, bool keep) {
    error_code error;
    BodyShare share(reply_bytes_);
    if (auto refused = RefuseReply(reply, share)) reply = *std::move(refused);
    auto response = ToBeast(reply, version, keep);
    if (reply.pieces) {
      co_await SendPieces(connection, slot, response.base(), reply.pieces);
      co_return false;
    }
    connection.plain().expires_after(settings_.patience);
    http::response_serializer<http::string_body> serializer(response);
    while (!error && !serializer.is_done()) {
      co_await http::async_write_some(
          connection, serializer,
          asio::redirect_error(asio::use_awaitable, error));
      slot.Progress();
    }
    co_return keep && !error;
  }

  // Counts what waits for clients to receive it: they may be slow on purpose.
  std::optional<HttpReply> RefuseReply(const HttpReply& reply,
                                       BodyShare& share) const {
    const size_t size = reply.response.body.size();
    if (size <= kShortBody) return std::nullopt;
    const bool first = reply_bytes_ == 0;
    share.Set(size);
    if (first || reply_bytes_ <= settings_.most_reply_bytes.count) {
      return std::nullopt;
    }
    share.Set(0);
    return Refusal(http::status::service_unavailable, "unavailable",
                   "too many large responses at once; try again later");
  }

  // Responds to a body that was not read. Closing immediately would reset the
  // connection of a client that is still sending and has not read the response,
  // so some of the remaining input is read and discarded.
  asio::awaitable<bool> Reject(Connection& connection, unsigned version,
                               bool head, HttpReply reply) {
    error_code error;
    if (head) {
      co_await SendHead(connection, version, std::move(reply), false);
    } else {
      auto response = ToBeast(reply, version, false);
      connection.plain().expires_after(settings_.patience);
      co_await http::async_write(
          connection, response,
          asio::redirect_error(asio::use_awaitable, error));
    }
    connection.plain().socket().shutdown(AnyProtocol::socket::shutdown_send,
                                         error);
    std::array<char, 16384> thrown_away;
    connection.plain().expires_after(std::min(settings_.patience, kLinger));
    for (size_t taken = 0; !error && taken < kMostLingering;) {
      taken += co_await connection.plain().async_read_some(
          asio::buffer(thrown_away),
          asio::redirect_error(asio::use_awaitable, error));
    }
    co_return false;
  }

  // The body ends with the connection.
  asio::awaitable<void> SendPieces(
      Connection& connection, Slot& slot, const http::response_header<>& header,
      const std::function<std::optional<std::string>()>& pieces) {
    error_code error;
    auto waiting = [&error] {
      return asio::redirect_error(asio::use_awaitable, error);
    };
    http::response<http::empty_body> head(header);
    head.keep_alive(false);
    http::response_serializer<http::empty_body> serializer(head);
    connection.plain().expires_after(settings_.patience);
    co_await http::async_write_header(connection, serializer, waiting());
    asio::steady_timer pause(context_);
    while (!error && !stopping_) {
      slot.SetBusy(true);
      std::optional<std::string> piece =
          co_await asio::co_spawn(handlers_, Ask(pieces), asio::use_awaitable);
      slot.SetBusy(false);
      if (!piece) co_return;
      if (piece->empty()) {
        if (Gone(connection)) co_return;
        pause.expires_after(settings_.piece_interval);
        co_await pause.async_wait(waiting());
        continue;
      }
      connection.plain().expires_after(settings_.patience);
      co_await asio::async_write(connection, asio::buffer(*piece), waiting());
    }
  }

  HttpServerSettings settings_;
  HttpHandler handler_;
  HttpLaterHandler later_;               // empty: handler_ answers
  std::unique_ptr<TlsFiles> tls_files_;  // absent: no TLS
  // These outlive the coroutines, which end with the context. Only its thread
  // uses the first three.
  ConnectedClients clients_;
  size_t body_bytes_ = 0;
  size_t reply_bytes_ = 0;
  // Requests between their head and the end of their response.
  Outstanding underway_;
  asio::io_context context_;
  LocalAcceptor local_;
  TcpAcceptor tcp_;
  asio::thread_pool handlers_;
  bool listening_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> draining_ = false;
  // Answers that later_ still owes.
  const std::shared_ptr<Outstanding> promised_ =
      std::make_shared<Outstanding>();
  std::jthread thread_;
};

Result<std::unique_ptr<HttpServer>> StartServer(HttpServerSettings settings,
                                                Handlers handlers) {
  auto server =
      std::make_unique<BeastServer>(std::move(settings), std::move(handlers));
  RETURN_IF_ERROR(server->Listen());
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Start(
    HttpServerSettings settings, HttpHandler handler) {
  return StartServer(std::move(settings),
                     {.now = std::move(handler), .later = {}});
}

Result<std::unique_ptr<HttpServer>> HttpServer::Start(
    HttpServerSettings settings, HttpLaterHandler handler) {
  return StartServer(std::move(settings),
                     {.now = {}, .later = std::move(handler)});
}

}  // namespace mete
