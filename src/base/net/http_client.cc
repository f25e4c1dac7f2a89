#include "net/http_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>  // before Asio, which does not include it
#include <vector>

// clang-format off: Asio's coroutines need <utility> first.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
// clang-format on

#include "net/beast_fields.h"

namespace mete {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Stream = beast::basic_stream<asio::generic::stream_protocol>;
using RemoteAddress = asio::generic::stream_protocol::endpoint;

constexpr size_t kLargestBody = 64u << 20;
// Of headers, and of what surrounds chunks: Beast has no limit for extensions
// of chunks and for trailers.
constexpr size_t kMostBuffered = 128u << 10;

http::request<http::string_body> ToBeast(const HttpRequest& request,
                                         const Endpoint& endpoint) {
  http::request<http::string_body> made;
  made.method_string(request.method);
  made.target(request.target);
  made.version(11);
  made.set(http::field::host, endpoint.Authority());
  made.set(http::field::user_agent, "mete");
  made.set(http::field::connection, "close");
  for (const auto& [name, value] : request.fields) made.set(name, value);
  made.body() = request.body;
  made.prepare_payload();
  return made;
}

// A host name that is being looked up. The resolver cannot be interrupted, so
// it runs in a thread that is left behind when it takes too long; that thread
// shares the lookup and touches nothing else.
struct Lookup {
  std::mutex mutex;  // guards the rest
  std::condition_variable_any finished;
  bool done = false;
  error_code error;
  std::vector<RemoteAddress> found;
};

std::shared_ptr<Lookup> StartLookup(const Endpoint& endpoint) {
  auto lookup = std::make_shared<Lookup>();
  std::thread([lookup, host = endpoint.host, port = endpoint.port] {
    asio::io_context context;
    error_code error;
    auto found = asio::ip::tcp::resolver(context).resolve(
        host, std::to_string(port), error);
    std::lock_guard lock(lookup->mutex);
    lookup->error = error;
    for (const auto& entry : found) {
      lookup->found.emplace_back(entry.endpoint());
    }
    lookup->done = true;
    lookup->finished.notify_all();
  }).detach();
  return lookup;
}

// One request and its response, on its own io_context that the calling thread
// runs.
class Exchange {
 public:
  Exchange(const Endpoint& endpoint, const HttpTrust& trust,
           const HttpPatience& patience)
      : endpoint_(endpoint),
        trust_(trust),
        patience_(patience),
        stream_(context_),
        end_(context_) {}

  // Without a request it only connects.
  Result<HttpResponse> Run(const HttpRequest* request, const HttpSink* sink,
                           std::stop_token stop) {
    const auto start = std::chrono::steady_clock::now();
    FindAddresses(stop);
    if (error_ || late_ || stopped_) return MakeError();
    asio::co_spawn(context_, PerformAndEnd(request, sink), asio::detached);
    if (patience_.whole) EndAt(start + *patience_.whole);
    {
      std::stop_callback cancel(stop, [this] {
        stopped_ = true;
        asio::post(context_, [this] { stream_.close(); });
      });
      context_.run();
    }
    if (ended_by_sink_ || !error_) return std::move(response_);
    return MakeError();
  }

 private:
  void FindAddresses(std::stop_token stop) {
    if (endpoint_.local()) {
      if (endpoint_.socket.size() > kLongestSocketPath) {
        error_ = asio::error::name_too_long;
        return;
      }
      addresses_.emplace_back(
          asio::local::stream_protocol::endpoint(endpoint_.socket));
      return;
    }
    error_code not_numeric;
    auto numeric = asio::ip::make_address(endpoint_.host, not_numeric);
    if (!not_numeric) {
      addresses_.emplace_back(asio::ip::tcp::endpoint(numeric, endpoint_.port));
      return;
    }
    AwaitLookup(*StartLookup(endpoint_), std::move(stop));
  }

  void AwaitLookup(Lookup& lookup, std::stop_token stop) {
    std::unique_lock lock(lookup.mutex);
    auto done = [&] { return lookup.done; };
    const auto silence = patience_.silence;
    const auto whole = patience_.whole;
    if (!silence && !whole) {
      lookup.finished.wait(lock, stop, done);
    } else {
      const auto limit = silence && whole ? std::min(*silence, *whole)
                         : silence        ? *silence
                                          : *whole;
      lookup.finished.wait_for(lock, stop, limit, done);
    }
    if (lookup.done) {
      error_ = lookup.error;
      addresses_ = lookup.found;
    } else if (stop.stop_requested()) {
      stopped_ = true;
    } else if (whole && (!silence || *whole <= *silence)) {
      late_ = true;
    } else {
      error_ = beast::error::timeout;
    }
  }

  // Limits every wait that follows.
  void Arm() {
    if (patience_.silence) {
      stream_.expires_after(*patience_.silence);
    } else {
      stream_.expires_never();
    }
  }

  auto Waiting() { return asio::redirect_error(asio::use_awaitable, error_); }

  void EndAt(std::chrono::steady_clock::time_point end) {
    end_.expires_at(end);
    end_.async_wait([this](const error_code& cancelled) {
      if (cancelled) return;
      late_ = true;
      stream_.close();
    });
  }

  asio::awaitable<void> PerformAndEnd(const HttpRequest* request,
                                      const HttpSink* sink) {
    co_await Connect();
    if (!error_ && request != nullptr) co_await Perform(*request, sink);
    end_.cancel();
  }

  asio::awaitable<void> Perform(const HttpRequest& request,
                                const HttpSink* sink) {
    if (!endpoint_.tls) {
      co_await SendAndReceive(stream_, request, sink);
      co_return;
    }
    act_ = "establish TLS with";
    asio::ssl::context trusted(asio::ssl::context::tls_client);
    LoadTrust(trusted);
    if (error_) co_return;
    asio::ssl::stream<Stream&> secure(stream_, trusted);
    WantProof(secure);
    if (error_) co_return;
    Arm();
    co_await secure.async_handshake(asio::ssl::stream_base::client, Waiting());
    if (error_) co_return;
    co_await SendAndReceive(secure, request, sink);
  }

  void LoadTrust(asio::ssl::context& trusted) {
    if (!trust_.ca_pem.empty()) {
      trusted.add_certificate_authority(asio::buffer(trust_.ca_pem), error_);
    } else if (!trust_.ca_file.empty()) {
      trusted.load_verify_file(trust_.ca_file, error_);
    } else if (!trust_.skip_verification) {
      trusted.set_default_verify_paths(error_);
    }
    if (!error_ && !trust_.certificate_pem.empty()) LoadOwn(trusted);
  }

  void LoadOwn(asio::ssl::context& trusted) {
    act_ = "use our certificate for";
    trusted.use_certificate_chain(asio::buffer(trust_.certificate_pem), error_);
    if (error_) return;
    trusted.use_private_key(asio::buffer(trust_.key_pem),
                            asio::ssl::context::pem, error_);
    if (!error_) act_ = "establish TLS with";
  }

  const std::string& ServerName() const {
    return trust_.server_name.empty() ? endpoint_.host : trust_.server_name;
  }

  // Requires a certificate for the server's name.
  void WantProof(asio::ssl::stream<Stream&>& secure) {
    secure.set_verify_mode(trust_.skip_verification ? asio::ssl::verify_none
                                                    : asio::ssl::verify_peer,
                           error_);
    if (error_) return;
    secure.set_verify_callback(asio::ssl::host_name_verification(ServerName()),
                               error_);
    error_code not_address;
    asio::ip::make_address(ServerName(), not_address);
    // Servers with several names need to know which one is meant (SNI).
    if (not_address) {
      SSL_set_tlsext_host_name(secure.native_handle(), ServerName().c_str());
    }
  }

  template <typename Connection>
  asio::awaitable<void> SendAndReceive(Connection& connection,
                                       const HttpRequest& request,
                                       const HttpSink* sink) {
    auto sent = ToBeast(request, endpoint_);
    act_ = "send";
    Arm();
    co_await http::async_write(connection, sent, Waiting());
    if (error_) co_return;
    act_ = "receive";
    co_await Receive(connection, sink);
    // Many servers close without TLS's close_notify; the message was complete.
    if (error_ == asio::ssl::error::stream_truncated && whole_) error_.clear();
  }

  asio::awaitable<void> Connect() {
    error_ = asio::error::host_not_found;
    for (const RemoteAddress& address : addresses_) {
      co_await ConnectTo(address);
      if (!error_ || stopped_ || late_) co_return;
    }
  }

  asio::awaitable<void> ConnectTo(RemoteAddress address) {
    // Connecting would reopen what `stop` has closed.
    bool over = stopped_ || late_;
    error_ = over ? asio::error::operation_aborted : error_code();
    if (error_) co_return;
    Arm();
    co_await stream_.async_connect(address, Waiting());
  }

  template <typename Connection>
  asio::awaitable<void> Receive(Connection& connection, const HttpSink* sink) {
    http::response_parser<http::buffer_body> parser;
    // No limit: Take has its own. Boost 1.74 treats boost::none as 0.
    parser.body_limit(std::numeric_limits<uint64_t>::max());
    beast::flat_buffer buffer(kMostBuffered);
    Arm();
    co_await http::async_read_header(connection, buffer, parser, Waiting());
    if (error_) co_return;
    response_.status = static_cast<int>(parser.get().result_int());
    response_.fields = ToFields(parser.get());
    if (!response_.ok()) sink = nullptr;
    std::array<char, 65536> piece;
    while (!parser.is_done()) {
      auto& body = parser.get().body();
      body.data = piece.data();
      body.size = piece.size();
      Arm();
      co_await http::async_read_some(connection, buffer, parser, Waiting());
      if (error_ == http::error::need_buffer) error_.clear();
      Take({piece.data(), piece.size() - parser.get().body().size}, sink);
      if (error_) co_return;
    }
    whole_ = true;
  }

  void Take(std::string_view piece, const HttpSink* sink) {
    if (piece.empty()) return;
    if (sink != nullptr) {
      if ((*sink)(piece)) return;
      ended_by_sink_ = true;
      error_ = asio::error::operation_aborted;
      return;
    }
    if (response_.body.size() + piece.size() > kLargestBody) {
      error_ = http::error::body_limit;
      return;
    }
    response_.body += piece;
  }

  Error MakeError() const {
    std::string act = fmt::format("{} {}", act_, endpoint_.Text());
    if (stopped_) return Error(ErrorCode::kInterrupted, act + ": interrupted");
    if (late_) {
      return Error(ErrorCode::kTimeout,
                   fmt::format("{}: not finished after {} ms", act,
                               patience_.whole->count()));
    }
    if (error_ == beast::error::timeout) {
      return Error(ErrorCode::kTimeout,
                   fmt::format("{}: no answer for {} ms", act,
                               patience_.silence->count()));
    }
    std::string why = act + ": " + LowerFirst(error_.message());
    if (error_.category() == HttpErrors()) {
      return Corrupt(why);
    }
    if (error_ == boost::system::errc::permission_denied ||
        error_.category() == asio::error::get_ssl_category()) {
      return Error(ErrorCode::kPermissionDenied, why);
    }
    return Unavailable(why);
  }

  const Endpoint& endpoint_;
  const HttpTrust& trust_;
  const HttpPatience& patience_;
  asio::io_context context_;
  Stream stream_;
  std::vector<RemoteAddress> addresses_;
  asio::steady_timer end_;  // of the whole exchange
  error_code error_;
  const char* act_ = "connect";
  HttpResponse response_;
  bool whole_ = false;  // the response is complete
  bool ended_by_sink_ = false;
  bool late_ = false;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

Result<HttpResponse> HttpClient::Send(const HttpRequest& request,
                                      const HttpPatience& patience,
                                      std::stop_token stop) const {
  return Exchange(endpoint_, trust_, patience)
      .Run(&request, nullptr, std::move(stop));
}

Result<HttpResponse> HttpClient::Stream(const HttpRequest& request,
                                        const HttpSink& sink,
                                        const HttpPatience& patience,
                                        std::stop_token stop) const {
  return Exchange(endpoint_, trust_, patience)
      .Run(&request, &sink, std::move(stop));
}

Status HttpClient::Connect(const HttpPatience& patience,
                           std::stop_token stop) const {
  auto connected = Exchange(endpoint_, trust_, patience)
                       .Run(nullptr, nullptr, std::move(stop));
  if (!connected.ok()) return connected.error();
  return {};
}

}  // namespace mete
