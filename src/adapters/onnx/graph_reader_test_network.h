// For tests: ONNX networks built with libonnx's protobuf classes, so that our
// reader is tested against bytes it did not write.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "adapters/onnx/graph_reader.h"

namespace mete {

// An attribute with a value of any type.
struct TestAttribute {
  std::string name;
  std::variant<int64_t, float, std::string, std::vector<int64_t>,
               std::vector<float>, onnx::GraphProto>
      value;
};

inline TestAttribute Int(std::string name, int64_t value) {
  return {std::move(name), value};
}
inline TestAttribute Ints(std::string name, std::vector<int64_t> values) {
  return {std::move(name), std::move(values)};
}
inline TestAttribute Floats(std::string name, std::vector<float> values) {
  return {std::move(name), std::move(values)};
}
inline TestAttribute Text(std::string name, std::string value) {
  return {std::move(name), std::move(value)};
}
inline TestAttribute Subgraph(std::string name, onnx::GraphProto graph) {
  return {std::move(name), std::move(graph)};
}

inline void SetValue(const TestAttribute& from, onnx::AttributeProto& to) {
  to.set_name(from.name);
  if (auto* integer = std::get_if<int64_t>(&from.value)) {
    to.set_type(onnx::AttributeProto::INT);
    to.set_i(*integer);
  } else if (auto* real = std::get_if<float>(&from.value)) {
    to.set_type(onnx::AttributeProto::FLOAT);
    to.set_f(*real);
  } else if (auto* text = std::get_if<std::string>(&from.value)) {
    to.set_type(onnx::AttributeProto::STRING);
    to.set_s(*text);
  } else if (auto* list = std::get_if<std::vector<int64_t>>(&from.value)) {
    to.set_type(onnx::AttributeProto::INTS);
    for (int64_t value : *list) to.add_ints(value);
  } else if (auto* reals = std::get_if<std::vector<float>>(&from.value)) {
    to.set_type(onnx::AttributeProto::FLOATS);
    for (float value : *reals) to.add_floats(value);
  } else if (auto* graph = std::get_if<onnx::GraphProto>(&from.value)) {
    to.set_type(onnx::AttributeProto::GRAPH);
    *to.mutable_g() = *graph;
  }
}

inline onnx::TensorProto MakeTensor(const std::string& name,
                                    const std::vector<int64_t>& sizes,
                                    int type = onnx::TensorProto::FLOAT,
                                    size_t element_bytes = 4) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(type);
  size_t count = 1;
  for (int64_t size : sizes) {
    tensor.add_dims(size);
    count *= static_cast<size_t>(size);
  }
  tensor.set_raw_data(std::string(count * element_bytes, '\0'));
  return tensor;
}

inline onnx::TensorProto MakeIntegers(const std::string& name,
                                      const std::vector<int64_t>& values) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  for (int64_t value : values) tensor.add_int64_data(value);
  return tensor;
}

// Builds a network in which every value of a node is an output, so that a test
// sees all of them.
class TestNetwork {
 public:
  explicit TestNetwork(int64_t opset = 17) {
    proto_.set_ir_version(8);
    auto* set = proto_.add_opset_import();
    set->set_domain("");
    set->set_version(opset);
    graph().set_name("test");
  }

  onnx::ModelProto& proto() { return proto_; }
  onnx::GraphProto& graph() { return *proto_.mutable_graph(); }

  // A negative size is an unknown dimension without a name.
  TestNetwork& Input(const std::string& name, const std::vector<int64_t>& sizes,
                     int type = onnx::TensorProto::FLOAT) {
    FillInfo(name, sizes, type, *graph().add_input());
    return *this;
  }
  TestNetwork& Weight(const std::string& name,
                      const std::vector<int64_t>& sizes) {
    *graph().add_initializer() = MakeTensor(name, sizes);
    return *this;
  }
  TestNetwork& Integers(const std::string& name,
                        const std::vector<int64_t>& values) {
    *graph().add_initializer() = MakeIntegers(name, values);
    return *this;
  }
  TestNetwork& Scalar(const std::string& name, int64_t value) {
    onnx::TensorProto tensor = MakeIntegers(name, {value});
    tensor.clear_dims();
    *graph().add_initializer() = tensor;
    return *this;
  }
  TestNetwork& Reals(const std::string& name,
                     const std::vector<float>& values) {
    onnx::TensorProto tensor = MakeTensor(name, {});
    tensor.add_dims(static_cast<int64_t>(values.size()));
    tensor.clear_raw_data();
    for (float value : values) tensor.add_float_data(value);
    *graph().add_initializer() = tensor;
    return *this;
  }
  TestNetwork& Node(const std::string& op,
                    const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs,
                    const std::vector<TestAttribute>& attributes = {}) {
    AddNode(op, inputs, outputs, attributes, graph());
    for (const std::string& output : outputs) {
      if (!output.empty()) graph().add_output()->set_name(output);
    }
    return *this;
  }

  static void FillInfo(const std::string& name,
                       const std::vector<int64_t>& sizes, int type,
                       onnx::ValueInfoProto& info) {
    info.set_name(name);
    auto* tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape();
    for (int64_t size : sizes) {
      auto* dimension = tensor->mutable_shape()->add_dim();
      if (size >= 0) dimension->set_dim_value(size);
    }
  }
  static void AddNode(const std::string& op,
                      const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs,
                      const std::vector<TestAttribute>& attributes,
                      onnx::GraphProto& graph) {
    auto* node = graph.add_node();
    node->set_name(op + "_" + std::to_string(graph.node_size()));
    node->set_op_type(op);
    for (const std::string& input : inputs) node->add_input(input);
    for (const std::string& output : outputs) node->add_output(output);
    for (const TestAttribute& attribute : attributes) {
      SetValue(attribute, *node->add_attribute());
    }
  }

  std::string Bytes() const { return proto_.SerializeAsString(); }
  Result<Network> Read() const {
    std::string bytes = Bytes();
    return OnnxGraphReader::ReadBytes(std::as_bytes(std::span(bytes)));
  }

 private:
  onnx::ModelProto proto_;
};

}  // namespace mete
