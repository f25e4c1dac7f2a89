#include "adapters/onnx/graph_writer.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <set>

#include "support/file.h"
#include "support/random.h"

namespace mete {
namespace {

using google::protobuf::MessageLite;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::FileOutputStream;

// The file format is little-endian; so are both our targets.
static_assert(std::endian::native == std::endian::little);

// IR version 8 came with opset 17.
constexpr int64_t kWrittenIrVersion = 8;
constexpr size_t kBlockElements = 16384;
// Protobuf readers reject messages from 2 GiB on; 1 KiB for the frame.
constexpr uint64_t kMostBytes = std::numeric_limits<int32_t>::max() - 1024;

Error TooLarge(const std::string& part) {
  return InvalidInput(part + ": exceeds the 2 GiB limit of an ONNX file");
}

// ---- Graph structure: everything except the content of top-level constants.

void StoreType(const ValueType& from, onnx::TypeProto& to) {
  auto* tensor = to.mutable_tensor_type();
  tensor->set_elem_type(static_cast<int>(from.type));
  if (!from.shape) return;
  auto* shape = tensor->mutable_shape();
  for (const Dimension& dimension : *from.shape) {
    auto* axis = shape->add_dim();
    if (dimension.size) {
      axis->set_dim_value(*dimension.size);
    } else if (!dimension.symbol.empty()) {
      axis->set_dim_param(dimension.symbol);
    }
  }
}

void StoreValue(const GraphValue& from, onnx::ValueInfoProto& to) {
  to.set_name(from.name);
  StoreType(from.type, *to.mutable_type());
}

template <typename Stored, typename Kept>
std::string RawBytes(const std::vector<Kept>& elements) {
  std::string raw(elements.size() * sizeof(Stored), '\0');
  for (size_t i = 0; i < elements.size(); ++i) {
    Stored element = static_cast<Stored>(elements[i]);
    std::memcpy(raw.data() + i * sizeof(Stored), &element, sizeof(Stored));
  }
  return raw;
}

// The content of a constant that has it.
Result<std::string> LiteralBytes(const Constant& constant) {
  bool real = constant.type == ElementType::kFloat ||
              constant.type == ElementType::kDouble;
  size_t given = real ? constant.reals.size() : constant.integers.size();
  if (ElementCount(constant.sizes) != given) {
    return InvalidInput("constant " + constant.name +
                        ": content does not match the shape");
  }
  switch (constant.type) {
    case ElementType::kFloat:
      return RawBytes<float>(constant.reals);
    case ElementType::kDouble:
      return RawBytes<double>(constant.reals);
    case ElementType::kInt32:
      return RawBytes<int32_t>(constant.integers);
    case ElementType::kInt64:
      return RawBytes<int64_t>(constant.integers);
    case ElementType::kInt8:
      return RawBytes<int8_t>(constant.integers);
    case ElementType::kUint8:
    case ElementType::kBool:
      return RawBytes<uint8_t>(constant.integers);
    default:
      return InvalidInput("constant " + constant.name + ": content of type " +
                          std::string(ToString(constant.type)) +
                          " is not supported");
  }
}

onnx::TensorProto MakeTensorHeader(const Constant& constant) {
  onnx::TensorProto tensor;
  tensor.set_name(constant.name);
  tensor.set_data_type(static_cast<int>(constant.type));
  for (int64_t size : constant.sizes) tensor.add_dims(size);
  return tensor;
}

Status StoreLiteral(const Constant& from, onnx::TensorProto& to) {
  ASSIGN_OR_RETURN(std::string raw, LiteralBytes(from));
  to = MakeTensorHeader(from);
  to.set_raw_data(std::move(raw));
  return {};
}

Status StoreNode(const Node& from, onnx::NodeProto& to);

// A subgraph; its constants have their content.
Status StoreSubgraph(const Graph& from, onnx::GraphProto& to) {
  to.set_name(from.name);
  for (const Node& node : from.nodes)
    RETURN_IF_ERROR(StoreNode(node, *to.add_node()));
  for (const Constant& constant : from.constants)
    RETURN_IF_ERROR(StoreLiteral(constant, *to.add_initializer()));
  for (const GraphValue& v : from.inputs) StoreValue(v, *to.add_input());
  for (const GraphValue& v : from.outputs) StoreValue(v, *to.add_output());
  for (const GraphValue& v : from.values) StoreValue(v, *to.add_value_info());
  return {};
}

// One overload per alternative of Attribute::value.
struct StoreAttributeValue {
  onnx::AttributeProto& to;

  Status operator()(std::monostate) {
    return InvalidInput("attribute " + to.name() + ": has no value");
  }
  Status operator()(const AttributeReference&) {
    return InvalidInput(
        "attribute " + to.name() +
        ": refers to a function attribute, but drafts have no functions");
  }
  Status operator()(int64_t value) {
    to.set_type(onnx::AttributeProto::INT);
    to.set_i(value);
    return {};
  }
  Status operator()(double value) {
    to.set_type(onnx::AttributeProto::FLOAT);
    to.set_f(static_cast<float>(value));
    return {};
  }
  Status operator()(const std::string& value) {
    to.set_type(onnx::AttributeProto::STRING);
    to.set_s(value);
    return {};
  }
  Status operator()(const std::vector<int64_t>& values) {
    to.set_type(onnx::AttributeProto::INTS);
    for (int64_t value : values) to.add_ints(value);
    return {};
  }
  Status operator()(const std::vector<double>& values) {
    to.set_type(onnx::AttributeProto::FLOATS);
    for (double value : values) to.add_floats(static_cast<float>(value));
    return {};
  }
  Status operator()(const std::vector<std::string>& values) {
    to.set_type(onnx::AttributeProto::STRINGS);
    for (const std::string& value : values) to.add_strings(value);
    return {};
  }
  Status operator()(const Constant& value) {
    to.set_type(onnx::AttributeProto::TENSOR);
    return StoreLiteral(value, *to.mutable_t());
  }
  Status operator()(const std::vector<Graph>& graphs) {
    if (graphs.size() == 1) {
      to.set_type(onnx::AttributeProto::GRAPH);
      return StoreSubgraph(graphs.front(), *to.mutable_g());
    }
    to.set_type(onnx::AttributeProto::GRAPHS);
    for (const Graph& graph : graphs)
      RETURN_IF_ERROR(StoreSubgraph(graph, *to.add_graphs()));
    return {};
  }
};

Status StoreNode(const Node& from, onnx::NodeProto& to) {
  to.set_name(from.name);
  to.set_op_type(from.op);
  if (!from.domain.empty()) to.set_domain(from.domain);
  for (const std::string& input : from.inputs) to.add_input(input);
  for (const std::string& output : from.outputs) to.add_output(output);
  for (const Attribute& attribute : from.attributes) {
    onnx::AttributeProto* stored = to.add_attribute();
    stored->set_name(attribute.name);
    RETURN_IF_ERROR(std::visit(StoreAttributeValue{*stored}, attribute.value)
                        .While("node " + from.name));
  }
  return {};
}

// ---- Content of the top-level constants, block by block.

// Two elements per draw, each from 24 bits, which convert to float exactly; the
// single product is correctly rounded, so every machine gets the same bits.
void WriteUniform(double bound, Random random, uint64_t count,
                  CodedOutputStream& out) {
  const float step = static_cast<float>(bound * 0x1p-23);
  auto element = [step](uint32_t bits) {
    return static_cast<float>(static_cast<int32_t>(bits) >> 8) * step;
  };
  std::array<float, kBlockElements> block;
  while (count > 0) {
    size_t here = std::min<uint64_t>(count, kBlockElements);
    for (size_t i = 0; i < here; i += 2) {
      uint64_t draw = random.Next();
      block[i] = element(static_cast<uint32_t>(draw >> 32));
      block[i + 1] = element(static_cast<uint32_t>(draw));
    }
    out.WriteRaw(block.data(), static_cast<int>(here * sizeof(float)));
    count -= here;
  }
}

void WriteRepeated(double value, uint64_t count, CodedOutputStream& out) {
  std::array<float, kBlockElements> block;
  block.fill(static_cast<float>(value));
  while (count > 0) {
    size_t here = std::min<uint64_t>(count, kBlockElements);
    out.WriteRaw(block.data(), static_cast<int>(here * sizeof(float)));
    count -= here;
  }
}

// A constant ready to be written.
// One constant with its header and fill.
struct Initializer {
  onnx::TensorProto header;  // without content
  Fill fill;
  uint64_t elements = 0;
  uint64_t raw_bytes = 0;
  std::string literal;  // the content, when the fill is literal
};

Result<Initializer> Prepare(const NetworkDraft& draft,
                            const Constant& constant) {
  Initializer ready{.header = MakeTensorHeader(constant)};
  auto fill = draft.fills.find(constant.name);
  if (fill != draft.fills.end()) ready.fill = fill->second;
  if (std::holds_alternative<LiteralFill>(ready.fill)) {
    ASSIGN_OR_RETURN(ready.literal, LiteralBytes(constant));
    ready.raw_bytes = ready.literal.size();
    return ready;
  }
  std::optional<uint64_t> elements = ElementCount(constant.sizes);
  if (!elements || constant.type != ElementType::kFloat) {
    return InvalidInput("constant " + constant.name +
                        ": only float32 of a valid shape can be filled");
  }
  if (*elements > kMostBytes / sizeof(float)) return TooLarge(constant.name);
  const auto* borrowed = std::get_if<BorrowedFill>(&ready.fill);
  if (borrowed != nullptr && borrowed->values.size() != *elements) {
    return InvalidInput(fmt::format("constant {}: {} values for {} elements",
                                    constant.name, borrowed->values.size(),
                                    *elements));
  }
  ready.elements = *elements;
  ready.raw_bytes = *elements * sizeof(float);
  return ready;
}

void WriteContent(const Initializer& initializer, uint64_t seed,
                  CodedOutputStream& out) {
  if (const auto* uniform = std::get_if<UniformFill>(&initializer.fill)) {
    WriteUniform(uniform->bound,
                 Random(DeriveSeed(seed, initializer.header.name())),
                 initializer.elements, out);
  } else if (const auto* same = std::get_if<ConstantFill>(&initializer.fill)) {
    WriteRepeated(same->value, initializer.elements, out);
  } else if (const auto* given = std::get_if<BorrowedFill>(&initializer.fill)) {
    out.WriteRaw(given->values.data(), static_cast<int>(initializer.raw_bytes));
  } else {
    out.WriteString(initializer.literal);
  }
}

// ---- The file: fields in the order in which protobuf itself would write them,
// so that the bytes equal the usual serialization without ever holding it.

// Number of bytes of a field: tag, length and content.
uint64_t FieldBytes(int field, uint64_t content) {
  uint32_t tag =
      WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  return CodedOutputStream::VarintSize32(tag) +
         CodedOutputStream::VarintSize64(content) + content;
}

void StartField(int field, uint64_t content, CodedOutputStream& out) {
  out.WriteTag(WireFormatLite::MakeTag(
      field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED));
  out.WriteVarint64(content);
}

void WriteMessage(const MessageLite& message, CodedOutputStream& out) {
  message.SerializeToCodedStream(&out);
}

// A draft divided into the parts around its weights.
struct Parts {
  onnx::ModelProto before_graph;
  onnx::GraphProto before_weights;
  std::vector<Initializer> weights;
  onnx::GraphProto after_weights;
  onnx::ModelProto after_graph;
  uint64_t graph_bytes = 0;
};

uint64_t TensorBytes(const Initializer& initializer) {
  return initializer.header.ByteSizeLong() +
         FieldBytes(onnx::TensorProto::kRawDataFieldNumber,
                    initializer.raw_bytes);
}

// Fails when a fill has no constant, most likely because of a typo in the name.
Status CheckFills(const NetworkDraft& draft) {
  std::set<std::string> names;
  for (const Constant& constant : draft.graph.constants)
    names.insert(constant.name);
  for (const auto& [name, fill] : draft.fills) {
    if (!names.contains(name))
      return InvalidInput("fill " + name + ": no such constant");
  }
  return {};
}

Result<Parts> Cut(const NetworkDraft& draft) {
  RETURN_IF_ERROR(CheckFills(draft));
  Parts parts;
  parts.before_graph.set_ir_version(kWrittenIrVersion);
  parts.before_graph.set_producer_name("mete");
  parts.after_graph.add_opset_import()->set_version(draft.opset);
  for (const OperatorSet& set : draft.other_operator_sets) {
    auto* import = parts.after_graph.add_opset_import();
    import->set_domain(set.domain);
    import->set_version(set.version);
  }
  const Graph& graph = draft.graph;
  parts.before_weights.set_name(graph.name);
  for (const Node& node : graph.nodes)
    RETURN_IF_ERROR(StoreNode(node, *parts.before_weights.add_node()));
  for (const GraphValue& value : graph.inputs)
    StoreValue(value, *parts.after_weights.add_input());
  for (const GraphValue& value : graph.outputs)
    StoreValue(value, *parts.after_weights.add_output());
  for (const GraphValue& value : graph.values)
    StoreValue(value, *parts.after_weights.add_value_info());
  parts.graph_bytes =
      parts.before_weights.ByteSizeLong() + parts.after_weights.ByteSizeLong();
  for (const Constant& constant : graph.constants) {
    ASSIGN_OR_RETURN(Initializer initializer, Prepare(draft, constant));
    parts.graph_bytes += FieldBytes(onnx::GraphProto::kInitializerFieldNumber,
                                    TensorBytes(initializer));
    parts.weights.push_back(std::move(initializer));
  }
  return parts;
}

void WriteParts(const Parts& parts, uint64_t seed, CodedOutputStream& out) {
  WriteMessage(parts.before_graph, out);
  StartField(onnx::ModelProto::kGraphFieldNumber, parts.graph_bytes, out);
  WriteMessage(parts.before_weights, out);
  for (const Initializer& initializer : parts.weights) {
    StartField(onnx::GraphProto::kInitializerFieldNumber,
               TensorBytes(initializer), out);
    WriteMessage(initializer.header, out);
    StartField(onnx::TensorProto::kRawDataFieldNumber, initializer.raw_bytes,
               out);
    WriteContent(initializer, seed, out);
  }
  WriteMessage(parts.after_weights, out);
  WriteMessage(parts.after_graph, out);
}

}  // namespace

Status OnnxGraphWriter::Write(const NetworkDraft& draft,
                              const std::filesystem::path& path) {
  const std::string act = "write " + path.string();
  Result<Parts> parts = Cut(draft);
  if (!parts) return parts.error().While(act);
  if (parts->graph_bytes > kMostBytes) return TooLarge("graph").While(act);
  return WriteFileAtomically(path, [&](int descriptor) -> Status {
    FileOutputStream file(descriptor, 1 << 18);
    {
      CodedOutputStream out(&file);
      WriteParts(*parts, draft.seed, out);
    }
    if (!file.Flush()) return SystemError("write", file.GetErrno());
    return {};
  });
}

}  // namespace mete
