// How Beast hands over the body of a request: to memory, or to a file beyond a
// size. Heavy; only http_server.cc includes it.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/optional.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "net/spooled_body.h"

namespace mete {

// A Body as Beast defines it.
struct RequestBody {
  // Bodies up to this size stay in memory.
  static constexpr size_t kInMemory = 1u << 20;

  // What has arrived of a body.
  struct value_type {
    std::filesystem::path folder;  // for large bodies; empty: memory
    std::string text;
    std::unique_ptr<SpooledBody> spooled{};
    Status failure{};

    size_t size() const { return spooled ? spooled->size() : text.size(); }

    Status Append(std::string_view piece) {
      if (!spooled && (folder.empty() || size() + piece.size() <= kInMemory)) {
        text += piece;
        return {};
      }
      if (!spooled) {
        ASSIGN_OR_RETURN(SpooledBody made, SpooledBody::Create(folder));
        spooled = std::make_unique<SpooledBody>(std::move(made));
        RETURN_IF_ERROR(spooled->Append(text));
        text = {};
      }
      return spooled->Append(piece);
    }
  };

  // Beast's writer into the value above.
  class reader {
   public:
    template <bool IsRequest, typename Fields>
    reader(boost::beast::http::header<IsRequest, Fields>&, value_type& body)
        : body_(body) {}

    void init(const boost::optional<std::uint64_t>&,
              boost::system::error_code& error) {
      error = {};
    }

    template <typename Buffers>
    size_t put(const Buffers& buffers, boost::system::error_code& error) {
      error = {};
      size_t taken = 0;
      auto end = boost::asio::buffer_sequence_end(buffers);
      for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end;
           ++at) {
        boost::asio::const_buffer buffer(*at);
        body_.failure = body_.Append(
            {static_cast<const char*>(buffer.data()), buffer.size()});
        if (!body_.failure.ok()) {
          error = boost::system::errc::make_error_code(
              boost::system::errc::no_space_on_device);
          return taken;
        }
        taken += buffer.size();
      }
      return taken;
    }

    void finish(boost::system::error_code& error) {
      error = {};
      if (body_.spooled) body_.failure = body_.spooled->Finish();
      if (!body_.failure.ok()) {
        error =
            boost::system::errc::make_error_code(boost::system::errc::io_error);
      }
    }

   private:
    value_type& body_;
  };
};

}  // namespace mete
