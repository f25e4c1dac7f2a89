#include "support/gzip.h"

#include <zlib.h>

#include <array>
#include <memory>

namespace mete {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib.h: adding 16 selects gzip
constexpr int kMemoryLevel = 8;
constexpr size_t kMostText = size_t{1} << 30;

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> Gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow,
                   kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
    return Unavailable("compress: cannot initialize zlib");
  }
  std::unique_ptr<z_stream, decltype(&deflateEnd)> owner(&stream, deflateEnd);
  std::string bytes;
  std::array<char, 65536> block;
  // zlib does not write to its input, but its interface lacks const.
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT
  size_t left = text.size();
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0 && left > 0) {
      stream.avail_in = static_cast<uInt>(std::min<size_t>(left, 1 << 30));
      left -= stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = block.size();
    state = deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
    if (state == Z_STREAM_ERROR) return Unavailable("compress: zlib failed");
    bytes.append(block.data(), block.size() - stream.avail_out);
  }
  return bytes;
}

Result<std::string> Gunzip(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) {
    return Unavailable("decompress: cannot initialize zlib");
  }
  std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, inflateEnd);
  if (bytes.size() > kMostText) {
    return Unsupported("decompress: more than 1 GiB");
  }
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  std::array<char, 65536> block;
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = block.size();
    int state = inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) {
      return Corrupt("decompress: not gzip or truncated");
    }
    text.append(block.data(), block.size() - stream.avail_out);
    if (text.size() > kMostText) {
      return Unsupported("decompress: more than 1 GiB");
    }
    if (state != Z_STREAM_END) continue;
    if (stream.avail_in == 0) return text;
    inflateReset(&stream);  // another member follows
  }
}

}  // namespace mete
