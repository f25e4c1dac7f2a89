#include "measure/npy.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>

#include "support/file.h"

namespace mete {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostAxes = 32;  // NumPy's own limit

// The header dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (1,
// 3, 224, 224), }.
struct Header {
  ElementType type = ElementType::kUndefined;
  bool fortran_order = false;
  std::vector<int64_t> sizes;
};

std::optional<ElementType> ParseType(std::string_view descr) {
  // The first character is the byte order: < little, | not applicable.
  if (descr.size() != 3 || (descr[0] != '<' && descr[0] != '|')) {
    return std::nullopt;
  }
  std::string_view code = descr.substr(1);
  if (code == "f2") return ElementType::kFloat16;
  if (code == "f4") return ElementType::kFloat;
  if (code == "f8") return ElementType::kDouble;
  if (code == "i1") return ElementType::kInt8;
  if (code == "i2") return ElementType::kInt16;
  if (code == "i4") return ElementType::kInt32;
  if (code == "i8") return ElementType::kInt64;
  if (code == "u1") return ElementType::kUint8;
  if (code == "u2") return ElementType::kUint16;
  if (code == "u4") return ElementType::kUint32;
  if (code == "u8") return ElementType::kUint64;
  if (code == "b1") return ElementType::kBool;
  return std::nullopt;
}

// The text after 'key': in the dictionary, without leading blanks.
std::optional<std::string_view> After(std::string_view text,
                                      std::string_view key) {
  size_t place = text.find(fmt::format("'{}'", key));
  if (place == std::string_view::npos) return std::nullopt;
  text.remove_prefix(place + key.size() + 2);
  size_t value = text.find_first_not_of(" :");
  if (value == std::string_view::npos) return std::nullopt;
  return text.substr(value);
}

// "(1, 3, 224)", "(5,)" or "()".
std::optional<std::vector<int64_t>> ParseTuple(std::string_view text) {
  size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) {
    return std::nullopt;
  }
  text = text.substr(1, end - 1);
  std::vector<int64_t> sizes;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
    if (text.empty()) return sizes;
    int64_t size = 0;
    auto [rest, error] =
        std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 0 || sizes.size() == kMostAxes) {
      return std::nullopt;
    }
    sizes.push_back(size);
    text.remove_prefix(static_cast<size_t>(rest - text.data()));
  }
}

Result<Header> ParseHeader(std::string_view text) {
  Header header;
  auto descr = After(text, "descr");
  auto order = After(text, "fortran_order");
  auto shape = After(text, "shape");
  if (!descr || !order || !shape) {
    return Corrupt("the header lacks descr, fortran_order or shape");
  }
  std::string_view quoted = descr->substr(0, 5);  // '<f4'
  auto type = quoted.size() == 5 && quoted[0] == '\'' && quoted[4] == '\''
                  ? ParseType(quoted.substr(1, 3))
                  : std::nullopt;
  if (!type) {
    return Unsupported(fmt::format("element type {} is not supported",
                                   descr->substr(0, descr->find(','))));
  }
  header.type = *type;
  header.fortran_order = order->starts_with("True");
  auto sizes = ParseTuple(*shape);
  if (!sizes) return Corrupt("the header's shape is not a tuple of sizes");
  header.sizes = *std::move(sizes);
  return header;
}

// Version 1 has a 2-byte header length, versions 2 and 3 a 4-byte one.
Result<std::string_view> TakeHeader(std::string_view& content) {
  if (!content.starts_with(kMagic) || content.size() < 12) {
    return Corrupt("not a NumPy file");
  }
  int version = content[6];
  if (version < 1 || version > 3) {
    return Unsupported(
        fmt::format("NumPy format {} is not supported", version));
  }
  size_t length_bytes = version == 1 ? 2 : 4;
  uint32_t length = 0;
  std::memcpy(&length, content.data() + 8, length_bytes);
  size_t begin = 8 + length_bytes;
  if (length > content.size() - begin) return Corrupt("truncated header");
  std::string_view header = content.substr(begin, length);
  content.remove_prefix(begin + length);
  return header;
}

// Maps elements from C to Fortran order: iterates over the indices with the
// last axis fastest and adds up the column-major strides.
std::vector<std::byte> ToCOrder(std::string_view data, size_t element_bytes,
                                const std::vector<int64_t>& sizes) {
  std::vector<size_t> strides(sizes.size(), element_bytes);
  for (size_t axis = 1; axis < sizes.size(); ++axis) {
    strides[axis] = strides[axis - 1] * static_cast<size_t>(sizes[axis - 1]);
  }
  std::vector<std::byte> result(data.size());
  std::vector<int64_t> index(sizes.size(), 0);
  size_t source = 0;
  for (size_t target = 0; target < data.size(); target += element_bytes) {
    std::memcpy(&result[target], data.data() + source, element_bytes);
    for (size_t axis = sizes.size(); axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < sizes[axis]) break;
      source -= strides[axis] * static_cast<size_t>(sizes[axis]);
      index[axis] = 0;
    }
  }
  return result;
}

}  // namespace

Result<TensorValue> ParseNpy(std::string_view content) {
  ASSIGN_OR_RETURN(std::string_view text, TakeHeader(content));
  ASSIGN_OR_RETURN(Header header, ParseHeader(text));
  auto bytes = ByteCount(header.type, KnownShape(header.sizes));
  if (!bytes || *bytes > content.size()) {
    return Corrupt(fmt::format("truncated data: {} bytes of a {} array",
                               content.size(),
                               FormatShape(KnownShape(header.sizes))));
  }
  content = content.substr(0, *bytes);
  TensorValue value{.type = header.type, .sizes = header.sizes};
  if (header.fortran_order) {
    size_t element_bytes = static_cast<size_t>(BitsPerElement(header.type)) / 8;
    value.bytes = ToCOrder(content, element_bytes, header.sizes);
  } else {
    auto* begin = reinterpret_cast<const std::byte*>(content.data());
    value.bytes.assign(begin, begin + content.size());
  }
  return value;
}

Result<TensorValue> ReadNpy(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string content, ReadFile(path));
  return ParseNpy(content).While("read " + path.string());
}

}  // namespace mete
