#include "adapters/onnx/graph_reader_tensor.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/onnx/graph_reader_content.h"

namespace mete {
namespace {

constexpr int64_t kExternalLocation = 1;
// Types newer than ours, up to the last one ONNX had defined by 2025; they are
// valid, but we do not know their size.
constexpr int64_t kLastKnownType = 26;

struct TensorHeader {
  Constant constant;
  int64_t type_number = 0;
  std::optional<WireField> raw;
  bool external = false;
  ExternalReference reference;
  uint64_t string_count = 0;
  uint64_t string_bytes = 0;
};

Status ReadExternalEntry(const WireReader& message, const WireField& field,
                         ExternalReference& reference) {
  ASSIGN_OR_RETURN(WireReader entry, message.Inside(field));
  std::string key;
  std::string value;
  RETURN_IF_ERROR(ForEachField(entry, [&](const WireField& part) -> Status {
    if (part.number == 1) {
      ASSIGN_OR_RETURN(key, entry.Text(part));
    } else if (part.number == 2) {
      ASSIGN_OR_RETURN(value, entry.Text(part));
    }
    return {};
  }));
  return SetExternalEntry(key, value, reference);
}

// Appends one size, or several if they are packed.
Status ReadSizes(const WireReader& message, const WireField& field,
                 std::vector<int64_t>& sizes) {
  if (field.type == WireType::kVarint) {
    sizes.push_back(static_cast<int64_t>(field.value));
  } else {
    ASSIGN_OR_RETURN(WireReader packed, message.Inside(field));
    while (!packed.AtEnd() && sizes.size() <= kMaxRank) {
      ASSIGN_OR_RETURN(uint64_t size, packed.NextVarint());
      sizes.push_back(static_cast<int64_t>(size));
    }
  }
  if (sizes.size() > kMaxRank) return Corrupt("it has too many axes");
  return {};
}

Status ReadHeaderField(const WireReader& message, const WireField& field,
                       TensorHeader& header) {
  switch (field.number) {
    case kDims:
      return ReadSizes(message, field, header.constant.sizes);
    case kDataType: {
      ASSIGN_OR_RETURN(header.type_number, ReadInteger(field));
      return {};
    }
    case kName: {
      ASSIGN_OR_RETURN(header.constant.name, message.Text(field));
      return {};
    }
    case kRawData:
      RETURN_IF_ERROR(message.Inside(field));
      header.raw = field;
      return {};
    case kStringData:
      RETURN_IF_ERROR(message.Inside(field));
      ++header.string_count;
      header.string_bytes += field.length;
      return {};
    case kExternalData:
      return ReadExternalEntry(message, field, header.reference);
    case kDataLocation: {
      ASSIGN_OR_RETURN(int64_t location, ReadInteger(field));
      header.external = location == kExternalLocation;
      return {};
    }
    default:
      return {};
  }
}

Error WrongLength(const Constant& constant, const std::string& found) {
  return Corrupt(fmt::format(
      "its sizes {} of {} do not match its content of {}",
      FormatShape(KnownShape(constant.sizes)), ToString(constant.type), found));
}

Error AbsurdSizes(const Constant& constant) {
  return Corrupt(fmt::format("its sizes {} are implausible",
                             FormatShape(KnownShape(constant.sizes))));
}

// Checks sizes and type; fails when no tensor can have them.
Status CheckHeader(TensorHeader& header) {
  for (int64_t size : header.constant.sizes) {
    if (size < 0)
      return Corrupt(fmt::format("it has the negative size {}", size));
  }
  if (!ElementCount(header.constant.sizes)) {
    return AbsurdSizes(header.constant);
  }
  if (header.type_number < 1 || header.type_number > kLastKnownType) {
    return Corrupt(
        fmt::format("it has the unknown element type {}", header.type_number));
  }
  auto type = static_cast<ElementType>(header.type_number);
  bool ours = ToString(type) != ToString(ElementType::kUndefined);
  header.constant.type = ours ? type : ElementType::kUndefined;
  if (BitsPerElement(header.constant.type) > 0 &&
      !ByteCount(type, KnownShape(header.constant.sizes))) {
    return AbsurdSizes(header.constant);
  }
  return {};
}

Status ReadExternalContent(const TensorHeader& header,
                           const ExternalFolder& folder, Constant& constant) {
  ASSIGN_OR_RETURN(ExternalRange range, folder.Locate(header.reference));
  auto expected = ByteCount(constant.type, KnownShape(constant.sizes));
  bool open_ended = !header.reference.length;
  if (!expected) {
    constant.stored_bytes = range.length;
    return {};
  }
  if (open_ended ? range.length < *expected : range.length != *expected) {
    return WrongLength(constant, fmt::format("{} bytes", range.length));
  }
  constant.stored_bytes = *expected;
  if (!IsKept(constant)) return {};
  ASSIGN_OR_RETURN(FileSource file, FileSource::Open(range.path.string()));
  return AppendRaw(file, range.offset, constant);
}

Status ReadRawContent(const WireReader& message, const WireField& raw,
                      Constant& constant) {
  if (constant.type == ElementType::kString) {
    return Corrupt("it stores strings as raw bytes");
  }
  constant.stored_bytes = raw.length;
  if (constant.type == ElementType::kUndefined) return {};
  auto expected = ByteCount(constant.type, KnownShape(constant.sizes));
  if (!expected || *expected != raw.length) {
    return WrongLength(constant, fmt::format("{} bytes", raw.length));
  }
  if (!IsKept(constant)) return {};
  return AppendRaw(message.source(), raw.begin, constant);
}

Status ReadTypedContent(const WireReader& message, TensorHeader& header) {
  Constant& constant = header.constant;
  uint64_t elements = *ElementCount(constant.sizes);
  if (constant.type == ElementType::kString) {
    constant.stored_bytes = header.string_bytes;
    if (header.string_count == elements) return {};
    return WrongLength(constant,
                       fmt::format("{} strings", header.string_count));
  }
  if (constant.type == ElementType::kUndefined) return {};
  ASSIGN_OR_RETURN(uint64_t count, ReadTypedNumbers(message, constant));
  if (count != TypedNumbers(constant.type, elements)) {
    return WrongLength(constant, fmt::format("{} numbers", count));
  }
  // The size of the elements as raw bytes, however they are encoded here.
  constant.stored_bytes =
      ByteCount(constant.type, KnownShape(constant.sizes)).value_or(0);
  return {};
}

Status ReadContent(const WireReader& message, const ExternalFolder& folder,
                   TensorHeader& header) {
  RETURN_IF_ERROR(CheckHeader(header));
  if (header.external) {
    return ReadExternalContent(header, folder, header.constant);
  }
  // Some writers leave an empty raw_data next to typed content.
  if (header.raw && header.raw->length > 0) {
    return ReadRawContent(message, *header.raw, header.constant);
  }
  return ReadTypedContent(message, header);
}

}  // namespace

Result<Constant> ReadTensor(const WireReader& message,
                            const ExternalFolder& folder) {
  TensorHeader header;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) {
    return ReadHeaderField(message, field, header);
  }));
  RETURN_IF_ERROR(ReadContent(message, folder, header)
                      .While(fmt::format("tensor '{}'", header.constant.name)));
  return std::move(header.constant);
}

Result<Constant> ReadSparseTensor(const WireReader& message,
                                  const ExternalFolder& folder) {
  Constant sparse;
  std::vector<int64_t> dense_sizes;
  uint64_t stored_bytes = 0;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number == 3) return ReadSizes(message, field, dense_sizes);
    if (field.number != 1 && field.number != 2) return {};
    ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
    ASSIGN_OR_RETURN(Constant part, ReadTensor(inner, folder));
    stored_bytes += part.stored_bytes;
    if (field.number == 1) sparse = std::move(part);
    return {};
  }));
  TensorHeader header{
      .constant = {.name = sparse.name, .sizes = dense_sizes},
      .type_number = std::max<int64_t>(1, static_cast<int64_t>(sparse.type))};
  RETURN_IF_ERROR(
      CheckHeader(header).While(fmt::format("tensor '{}'", sparse.name)));
  header.constant.type = sparse.type;
  header.constant.stored_bytes = stored_bytes;
  header.constant.sparse = true;
  return std::move(header.constant);
}

}  // namespace mete
