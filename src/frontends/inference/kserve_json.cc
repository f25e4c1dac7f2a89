#include "inference/kserve_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

// 50 pictures of 3x224x224. Each value takes 16 bytes while it is parsed, so
// that a body of "0,0,0,…" would take 24 times its size.
constexpr std::ptrdiff_t kMostValues = 8 << 20;

struct KserveTypeName {
  ElementType type;
  std::string_view name;
};

constexpr std::array kTypeNames = std::to_array<KserveTypeName>({
    {ElementType::kBool, "BOOL"},
    {ElementType::kUint8, "UINT8"},
    {ElementType::kUint16, "UINT16"},
    {ElementType::kUint32, "UINT32"},
    {ElementType::kUint64, "UINT64"},
    {ElementType::kInt8, "INT8"},
    {ElementType::kInt16, "INT16"},
    {ElementType::kInt32, "INT32"},
    {ElementType::kInt64, "INT64"},
    {ElementType::kFloat, "FP32"},
    {ElementType::kDouble, "FP64"},
});

// Calls `work` with a value of the C++ type of the elements. Returns false for
// a type that JSON does not carry.
template <typename Work>
bool WithElementType(ElementType type, Work work) {
  switch (type) {
    case ElementType::kBool:
      return work(bool{}), true;
    case ElementType::kUint8:
      return work(uint8_t{}), true;
    case ElementType::kUint16:
      return work(uint16_t{}), true;
    case ElementType::kUint32:
      return work(uint32_t{}), true;
    case ElementType::kUint64:
      return work(uint64_t{}), true;
    case ElementType::kInt8:
      return work(int8_t{}), true;
    case ElementType::kInt16:
      return work(int16_t{}), true;
    case ElementType::kInt32:
      return work(int32_t{}), true;
    case ElementType::kInt64:
      return work(int64_t{}), true;
    case ElementType::kFloat:
      return work(float{}), true;
    case ElementType::kDouble:
      return work(double{}), true;
    default:
      return false;
  }
}

Result<ElementType> ParseKserveType(const std::string& name) {
  for (const KserveTypeName& known : kTypeNames) {
    if (known.name == name) return known.type;
  }
  if (name == "BYTES" || name == "FP16") {
    return Unsupported("datatype " + name + " is not supported");
  }
  return InvalidInput("unknown datatype '" + name + "'");
}

// One element. Absent if the number does not fit the type.
template <typename Element>
std::optional<Element> ReadElement(const SortedJson& json) {
  if constexpr (std::is_same_v<Element, bool>) {
    if (json.is_boolean()) return json.get<bool>();
    const bool set = json == 1;
    if (set || json == 0) return set;
  } else if constexpr (std::is_floating_point_v<Element>) {
    if (!json.is_number()) return std::nullopt;
    const auto number = json.get<double>();
    if (std::abs(number) <= double{std::numeric_limits<Element>::max()})
      return static_cast<Element>(number);
  } else {
    if (json.is_number_unsigned()) {
      const auto whole = json.get<uint64_t>();
      if (std::in_range<Element>(whole)) return static_cast<Element>(whole);
    } else if (json.is_number_integer()) {
      const auto whole = json.get<int64_t>();
      if (std::in_range<Element>(whole)) return static_cast<Element>(whole);
    }
  }
  return std::nullopt;
}

// Appends the elements of `data`, a list or a list of lists.
template <typename Element>
Status AppendElements(const SortedJson& data, std::vector<std::byte>& bytes) {
  for (const SortedJson& item : data) {
    if (item.is_array()) {
      RETURN_IF_ERROR(AppendElements<Element>(item, bytes));
      continue;
    }
    const std::optional<Element> element = ReadElement<Element>(item);
    if (!element) {
      return InvalidInput("an element of data does not fit its datatype");
    }
    const size_t end = bytes.size();
    bytes.resize(end + sizeof(Element));
    std::memcpy(bytes.data() + end, &*element, sizeof(Element));
  }
  return {};
}

Status ReadData(const SortedJson& data, TensorValue& tensor) {
  if (!data.is_array()) return InvalidInput("data is not a list");
  Status read;
  WithElementType(tensor.type, [&](auto element) {
    read = AppendElements<decltype(element)>(data, tensor.bytes);
  });
  RETURN_IF_ERROR(read);
  const auto expected = ByteCount(tensor.type, KnownShape(tensor.sizes));
  if (expected != tensor.bytes.size()) {
    return InvalidInput("data does not have as many elements as shape " +
                        FormatShape(KnownShape(tensor.sizes)));
  }
  return {};
}

Result<TensorValue> ReadInput(const SortedJson& json) {
  TensorValue tensor{.name = json.at("name").get<std::string>()};
  auto fill = [&]() -> Status {
    ASSIGN_OR_RETURN(tensor.type,
                     ParseKserveType(json.at("datatype").get<std::string>()));
    const SortedJson& shape = json.at("shape");
    if (!shape.is_array()) return InvalidInput("shape is not a list");
    // The library would cut off decimals, and cannot convert 1e300.
    for (const SortedJson& item : shape) {
      const auto size = ReadElement<int64_t>(item);
      if (!size) return InvalidInput("a size in shape is not a whole number");
      tensor.sizes.push_back(*size);
    }
    return ReadData(json.at("data"), tensor);
  };
  RETURN_IF_ERROR(fill().While("input " + tensor.name));
  return tensor;
}

Result<KserveRequest> ReadRequest(const SortedJson& json) {
  KserveRequest request{.id = json.value("id", "")};
  for (const SortedJson& input : json.at("inputs")) {
    ASSIGN_OR_RETURN(TensorValue tensor, ReadInput(input));
    request.inputs.push_back(std::move(tensor));
  }
  if (auto outputs = json.find("outputs"); outputs != json.end()) {
    std::set<std::string> names;
    for (const SortedJson& output : *outputs) {
      auto name = output.at("name").get<std::string>();
      if (!names.insert(name).second) {
        return InvalidInput("output '" + name + "' is asked for twice");
      }
      request.outputs.push_back(std::move(name));
    }
  }
  return request;
}

// ---- Answers are written by hand: a float has fewer digits than its double,
// and there may be a million of them.

std::string QuotedJson(const std::string& text) {
  return SortedJson(text).dump(-1, ' ', false,
                               SortedJson::error_handler_t::replace);
}

template <typename Element>
void AppendNumbers(const std::vector<std::byte>& bytes, std::string& text) {
  auto out = std::back_inserter(text);
  for (size_t at = 0; at + sizeof(Element) <= bytes.size();
       at += sizeof(Element)) {
    Element element{};
    std::memcpy(&element, bytes.data() + at, sizeof(Element));
    if (at > 0) text += ',';
    if constexpr (std::is_floating_point_v<Element>) {
      if (!std::isfinite(element)) {
        text += "null";
        continue;
      }
      if (element == 0 && std::signbit(element)) {
        text += "-0.0";  // "-0" would be read as an integer
        continue;
      }
    }
    out = fmt::format_to(out, "{}", element);
  }
}

Status AppendOutput(const TensorValue& output, std::string& text) {
  const std::string_view type = KserveType(output.type);
  if (type.empty()) {
    return Unsupported(fmt::format("output '{}': {} has no JSON form",
                                   output.name, ToString(output.type)));
  }
  text += fmt::format(R"({{"name":{},"shape":{},"datatype":"{}","data":[)",
                      QuotedJson(output.name), SortedJson(output.sizes).dump(),
                      type);
  WithElementType(output.type, [&](auto element) {
    AppendNumbers<decltype(element)>(output.bytes, text);
  });
  text += "]}";
  return {};
}

Result<std::vector<const TensorValue*>> ChooseOutputs(
    const KserveRequest& request, const std::vector<TensorValue>& outputs) {
  std::vector<const TensorValue*> chosen;
  if (request.outputs.empty()) {
    for (const TensorValue& output : outputs) chosen.push_back(&output);
  }
  for (const std::string& name : request.outputs) {
    auto found = std::ranges::find(outputs, name, &TensorValue::name);
    if (found == outputs.end()) {
      return InvalidInput("the network has no output '" + name + "'");
    }
    chosen.push_back(&*found);
  }
  return chosen;
}

}  // namespace

std::string_view KserveType(ElementType type) {
  auto found = std::ranges::find(kTypeNames, type, &KserveTypeName::type);
  return found == kTypeNames.end() ? std::string_view() : found->name;
}

Result<KserveRequest> ParseKserveRequest(std::string_view body) {
  // Every value but the first of a list has a comma before it.
  if (std::ranges::count(body, ',') >= kMostValues) {
    return InvalidInput(
        fmt::format("the request has more than {} values; send fewer at a time",
                    FormatCount(kMostValues)));
  }
  ASSIGN_OR_RETURN(SortedJson json, ParseSortedJson(body));
  return ReadJson("request", [&] { return ReadRequest(json); });
}

Result<std::string> WriteKserveReply(const std::string& network,
                                     const KserveRequest& request,
                                     const std::vector<TensorValue>& outputs) {
  ASSIGN_OR_RETURN(auto chosen, ChooseOutputs(request, outputs));
  std::string text = "{\"model_name\":" + QuotedJson(network);
  if (!request.id.empty()) text += ",\"id\":" + QuotedJson(request.id);
  text += ",\"outputs\":[";
  for (const TensorValue* output : chosen) {
    if (output != chosen.front()) text += ',';
    RETURN_IF_ERROR(AppendOutput(*output, text));
  }
  text += "]}\n";
  return text;
}

}  // namespace mete
