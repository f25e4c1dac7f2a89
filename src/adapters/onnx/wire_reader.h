// A bounds-checked cursor over protobuf's wire format: the part of the encoding
// that ONNX files use, read from a file or from memory without copying all of
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// Largest plausible number of axes of a tensor.
inline constexpr size_t kMaxRank = 64;

// Random access to bytes of a file or of memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  virtual uint64_t size() const = 0;
  // The bytes from `offset` on that are available without another read: at
  // least one. The span is valid until the next call. Fails with kCorrupt at or
  // beyond the end, and with the system's error when reading fails.
  virtual Result<std::span<const std::byte>> At(uint64_t offset) = 0;

  // Fills `into` completely. Fails like At.
  Status Copy(uint64_t offset, std::span<std::byte> into);
};

// Bytes in memory, which must outlive the source.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint64_t size() const override { return bytes_.size(); }
  Result<std::span<const std::byte>> At(uint64_t offset) override;

 private:
  std::span<const std::byte> bytes_;
};

// A file, read through one small window with pread. Not with mmap: a file that
// shrinks while it is mapped kills the process with SIGBUS, whereas pread just
// returns less; and skipped weights cost nothing either way.
class FileSource final : public ByteSource {
 public:
  // Fails with kNotFound, kPermissionDenied, or kInvalidInput when the path
  // is not a regular file.
  static Result<FileSource> Open(const std::string& path);
  FileSource(FileSource&& other) noexcept;
  FileSource& operator=(FileSource&& other) = delete;
  ~FileSource() override;

  uint64_t size() const override { return size_; }
  Result<std::span<const std::byte>> At(uint64_t offset) override;

 private:
  FileSource(int file, uint64_t size) : file_(file), size_(size) {}

  int file_;
  uint64_t size_;
  uint64_t window_offset_ = 0;
  std::vector<std::byte> window_;
};

// How the payload of a field is encoded (protobuf wire types 0, 1, 2 and 5).
enum class WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// One field of a message. The payload is `value` for numbers, and the range
// [begin, begin + length) of the source for bytes.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;
  uint64_t begin = 0;
  uint64_t length = 0;
};

// Iterates over the fields of a message. Never reads beyond its end.
class WireReader {
 public:
  explicit WireReader(ByteSource& source)
      : source_(&source), position_(0), end_(source.size()) {}
  bool AtEnd() const { return position_ == end_; }
  uint64_t position() const { return position_; }
  uint64_t remaining() const { return end_ - position_; }
  ByteSource& source() const { return *source_; }

  // A reader for the message or packed numbers in a field of this message.
  // Fails with kCorrupt when the field is a number.
  Result<WireReader> Inside(const WireField& field) const;
  // The text of a field of this message. Fails like Inside.
  Result<std::string> Text(const WireField& field) const;

  // The next field; skips its bytes without reading them. Fails with kCorrupt
  // when the field exceeds the message.
  Result<WireField> NextField();

  // Single numbers of packed fields.
  Result<uint64_t> NextVarint();
  Result<uint32_t> NextFixed32();
  Result<uint64_t> NextFixed64();

 private:
  WireReader(ByteSource& source, uint64_t begin, uint64_t end)
      : source_(&source), position_(begin), end_(end) {}
  Result<uint64_t> NextLittleEndian(size_t bytes);

  ByteSource* source_;
  uint64_t position_;
  uint64_t end_;
};

// The value of an integer field, two's complement. Fails with kCorrupt when the
// field has another type.
Result<int64_t> ReadInteger(const WireField& field);

// Calls `visit(field)` for every field of `message` until one fails.
template <typename Visit>
Status ForEachField(WireReader message, Visit&& visit) {
  while (!message.AtEnd()) {
    ASSIGN_OR_RETURN(WireField field, message.NextField());
    RETURN_IF_ERROR(visit(field));
  }
  return {};
}

}  // namespace mete
