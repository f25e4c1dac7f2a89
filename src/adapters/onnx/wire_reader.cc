#include "adapters/onnx/wire_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "ports/network_file.h"

namespace mete {
namespace {

// Large enough to read the structure of a network in few steps, and negligible
// compared to it.
constexpr size_t kWindow = 1 << 16;

Error Truncated(uint64_t offset) {
  return Corrupt(fmt::format("truncated at byte {}", offset));
}

Error WrongKind(const WireField& field) {
  return Corrupt(fmt::format(
      "field {} does not have the type that ONNX defines", field.number));
}

}  // namespace

Status ByteSource::Copy(uint64_t offset, std::span<std::byte> into) {
  while (!into.empty()) {
    ASSIGN_OR_RETURN(auto piece, At(offset));
    size_t count = std::min(piece.size(), into.size());
    std::memcpy(into.data(), piece.data(), count);
    into = into.subspan(count);
    offset += count;
  }
  return {};
}

Result<std::span<const std::byte>> MemorySource::At(uint64_t offset) {
  if (offset >= bytes_.size()) return Truncated(offset);
  return bytes_.subspan(static_cast<size_t>(offset));
}

Result<FileSource> FileSource::Open(const std::string& path) {
  RETURN_IF_ERROR(CheckMayBeNetwork(path));
  // O_NONBLOCK: opening a pipe without a writer must not block.
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return SystemError("read " + path, errno);
  FileSource source(file, 0);
  struct stat status = {};
  if (fstat(file, &status) != 0) return SystemError("read " + path, errno);
  if (!S_ISREG(status.st_mode)) {
    return InvalidInput("read " + path + ": is not a regular file");
  }
  source.size_ = static_cast<uint64_t>(status.st_size);
  return source;
}

FileSource::FileSource(FileSource&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      window_offset_(other.window_offset_),
      window_(std::move(other.window_)) {}

FileSource::~FileSource() {
  if (file_ >= 0) close(file_);
}

Result<std::span<const std::byte>> FileSource::At(uint64_t offset) {
  if (offset >= window_offset_ && offset - window_offset_ < window_.size()) {
    return std::span<const std::byte>(window_).subspan(
        static_cast<size_t>(offset - window_offset_));
  }
  if (offset >= size_) return Truncated(offset);
  window_.resize(kWindow);
  ssize_t got = 0;
  do {
    got = pread(file_, window_.data(), window_.size(),
                static_cast<off_t>(offset));
  } while (got < 0 && errno == EINTR);
  int error_number = errno;
  window_.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  window_offset_ = offset;
  if (got < 0) return SystemError("read the file", error_number);
  if (got == 0) return Truncated(offset);
  return std::span<const std::byte>(window_);
}

Result<WireReader> WireReader::Inside(const WireField& field) const {
  if (field.type != WireType::kBytes) return WrongKind(field);
  return WireReader(*source_, field.begin, field.begin + field.length);
}

Result<std::string> WireReader::Text(const WireField& field) const {
  if (field.type != WireType::kBytes) return WrongKind(field);
  // Bounded by the file: the length was checked when the field was read.
  std::string text(static_cast<size_t>(field.length), '\0');
  RETURN_IF_ERROR(source_->Copy(field.begin, std::as_writable_bytes(std::span(
                                                 text.data(), text.size()))));
  return text;
}

Result<WireField> WireReader::NextField() {
  uint64_t start = position_;
  ASSIGN_OR_RETURN(uint64_t tag, NextVarint());
  uint64_t number = tag >> 3;
  if (number == 0 || number > 536870911) {
    return Corrupt(fmt::format("invalid field number at byte {}", start));
  }
  WireField field{.number = static_cast<uint32_t>(number)};
  switch (tag & 7) {
    case 0: {
      field.type = WireType::kVarint;
      ASSIGN_OR_RETURN(field.value, NextVarint());
      return field;
    }
    case 1: {
      field.type = WireType::kFixed64;
      ASSIGN_OR_RETURN(field.value, NextFixed64());
      return field;
    }
    case 2: {
      field.type = WireType::kBytes;
      ASSIGN_OR_RETURN(field.length, NextVarint());
      field.begin = position_;
      if (field.length > remaining()) {
        return Corrupt(fmt::format(
            "truncated: {} bytes announced at byte {}, but {} follow",
            field.length, start, remaining()));
      }
      position_ += field.length;
      return field;
    }
    case 5: {
      field.type = WireType::kFixed32;
      ASSIGN_OR_RETURN(field.value, NextFixed32());
      return field;
    }
    default:
      return Corrupt(fmt::format("unknown field type at byte {}", start));
  }
}

Result<uint64_t> WireReader::NextVarint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (AtEnd()) return Truncated(position_);
    ASSIGN_OR_RETURN(auto piece, source_->At(position_));
    auto byte = static_cast<uint64_t>(piece[0]);
    ++position_;
    // The tenth byte has room for one bit; protobuf drops the others.
    value |= (byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return Corrupt(fmt::format("unterminated number at byte {}", position_));
}

Result<uint32_t> WireReader::NextFixed32() {
  ASSIGN_OR_RETURN(uint64_t value, NextLittleEndian(4));
  return static_cast<uint32_t>(value);
}

Result<uint64_t> WireReader::NextFixed64() { return NextLittleEndian(8); }

Result<uint64_t> WireReader::NextLittleEndian(size_t bytes) {
  if (remaining() < bytes) return Truncated(position_);
  std::array<std::byte, 8> buffer{};
  RETURN_IF_ERROR(
      source_->Copy(position_, std::span<std::byte>(buffer).first(bytes)));
  position_ += bytes;
  uint64_t value = 0;
  for (size_t i = bytes; i-- > 0;) {
    value = value << 8 | static_cast<uint64_t>(buffer[i]);
  }
  return value;
}

Result<int64_t> ReadInteger(const WireField& field) {
  if (field.type != WireType::kVarint) return WrongKind(field);
  return static_cast<int64_t>(field.value);
}

}  // namespace mete
