#include "adapters/onnx/graph_reader_content.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace mete {
namespace {

// The typed field for elements of `type` when there is no raw_data; 0: none.
uint32_t TypedField(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kComplex64:
      return kFloatData;
    case ElementType::kDouble:
    case ElementType::kComplex128:
      return kDoubleData;
    case ElementType::kInt64:
      return kInt64Data;
    case ElementType::kUint32:
    case ElementType::kUint64:
      return kUint64Data;
    case ElementType::kString:
    case ElementType::kUndefined:
      return 0;
    default:
      return kInt32Data;
  }
}

bool IsUnsigned(ElementType type) {
  return type == ElementType::kUint8 || type == ElementType::kUint16 ||
         type == ElementType::kUint32 || type == ElementType::kUint64 ||
         type == ElementType::kBool;
}

bool IsReal(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kDouble;
}

// Values above the largest signed number do not occur in shapes.
int64_t Saturated(uint64_t value) {
  return static_cast<int64_t>(
      std::min<uint64_t>(value, std::numeric_limits<int64_t>::max()));
}

// Appends the element whose little-endian bits are `bits`.
void AppendElement(uint64_t bits, Constant& constant) {
  switch (constant.type) {
    case ElementType::kFloat:
      constant.reals.push_back(
          std::bit_cast<float>(static_cast<uint32_t>(bits)));
      return;
    case ElementType::kDouble:
      constant.reals.push_back(std::bit_cast<double>(bits));
      return;
    default:
      break;
  }
  if (IsUnsigned(constant.type)) {
    constant.integers.push_back(Saturated(bits));
    return;
  }
  int unused_bits = 64 - BitsPerElement(constant.type);
  constant.integers.push_back(static_cast<int64_t>(bits << unused_bits) >>
                              unused_bits);
}

// Counts the varints of a packed field by their last bytes, without decoding.
Result<uint64_t> CountVarints(WireReader packed) {
  uint64_t count = 0;
  uint64_t position = packed.position();
  uint64_t left = packed.remaining();
  while (left > 0) {
    ASSIGN_OR_RETURN(auto piece, packed.source().At(position));
    piece = piece.first(
        static_cast<size_t>(std::min<uint64_t>(piece.size(), left)));
    count += static_cast<uint64_t>(
        std::count_if(piece.begin(), piece.end(), [](std::byte byte) {
          return (byte & std::byte{0x80}) == std::byte{0};
        }));
    position += piece.size();
    left -= piece.size();
  }
  return count;
}

// Reads the typed field of a tensor: the count of its numbers, and their values
// if they are kept.
class TypedContent {
 public:
  TypedContent(const WireReader& message, Constant& constant)
      : message_(message),
        constant_(constant),
        field_(TypedField(constant.type)),
        kept_(IsKept(constant)) {}

  Result<uint64_t> Read() {
    RETURN_IF_ERROR(ForEachField(message_, [&](const WireField& field) {
      return field.number == field_ ? Add(field) : Status();
    }));
    return count_;
  }

 private:
  bool IsVarint() const {
    return field_ == kInt32Data || field_ == kInt64Data ||
           field_ == kUint64Data;
  }
  size_t Width() const { return field_ == kDoubleData ? 8 : 4; }

  Status Add(const WireField& field) {
    if (field.type != WireType::kBytes) {
      // One field per number: valid but verbose.
      bool fits = field.type == (IsVarint()     ? WireType::kVarint
                                 : Width() == 8 ? WireType::kFixed64
                                                : WireType::kFixed32);
      if (!fits) return Corrupt("its content does not have the stated type");
      Append(field.value);
      return {};
    }
    ASSIGN_OR_RETURN(WireReader packed, message_.Inside(field));
    if (!kept_) {
      uint64_t numbers = packed.remaining() / Width();
      if (IsVarint()) {
        ASSIGN_OR_RETURN(numbers, CountVarints(packed));
      }
      count_ += numbers;
      return {};
    }
    return AppendPacked(packed);
  }

  Status AppendPacked(WireReader packed) {
    while (!packed.AtEnd()) {
      if (IsVarint()) {
        ASSIGN_OR_RETURN(uint64_t value, packed.NextVarint());
        Append(value);
      } else if (Width() == 8) {
        ASSIGN_OR_RETURN(uint64_t value, packed.NextFixed64());
        Append(value);
      } else {
        ASSIGN_OR_RETURN(uint32_t value, packed.NextFixed32());
        Append(value);
      }
    }
    return {};
  }

  void Append(uint64_t bits) {
    ++count_;
    if (kept_ && count_ <= Constant::kKeptElements) {
      AppendElement(bits, constant_);
    }
  }

  WireReader message_;
  Constant& constant_;
  uint32_t field_;
  bool kept_;
  uint64_t count_ = 0;
};

}  // namespace

bool IsKept(const Constant& constant) {
  return (IsInteger(constant.type) || IsReal(constant.type)) &&
         ElementCount(constant.sizes).value_or(UINT64_MAX) <=
             Constant::kKeptElements;
}

Status AppendRaw(ByteSource& source, uint64_t offset, Constant& constant) {
  auto width = static_cast<size_t>(BitsPerElement(constant.type) / 8);
  uint64_t count = *ElementCount(constant.sizes);
  for (uint64_t i = 0; i < count; ++i) {
    std::array<std::byte, 8> buffer{};
    RETURN_IF_ERROR(source.Copy(offset + i * width,
                                std::span<std::byte>(buffer).first(width)));
    uint64_t bits = 0;
    for (size_t k = width; k-- > 0;) {
      bits = bits << 8 | static_cast<uint64_t>(buffer[k]);
    }
    AppendElement(bits, constant);
  }
  return {};
}

uint64_t TypedNumbers(ElementType type, uint64_t elements) {
  switch (type) {
    case ElementType::kComplex64:
    case ElementType::kComplex128:
      return elements * 2;
    case ElementType::kInt4:
    case ElementType::kUint4:
      return elements / 2 + elements % 2;
    default:
      return elements;
  }
}

Result<uint64_t> ReadTypedNumbers(const WireReader& message,
                                  Constant& constant) {
  return TypedContent(message, constant).Read();
}

}  // namespace mete
