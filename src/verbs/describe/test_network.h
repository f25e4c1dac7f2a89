// Builds networks in memory for tests, one line per node.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "describe/describe.h"
#include "domain/graph.h"

namespace mete {

// Builder of a network.
class NetworkSketch {
 public:
  NetworkSketch() {
    network_.operator_sets.push_back({.domain = "", .version = 17});
  }

  // Sizes may be symbols.
  NetworkSketch& OpenInput(std::string name, Shape shape,
                           ElementType type = ElementType::kFloat) {
    network_.graph.inputs.push_back(
        {std::move(name), {type, std::move(shape)}});
    return *this;
  }
  NetworkSketch& Input(std::string name, const std::vector<int64_t>& sizes) {
    return OpenInput(std::move(name), KnownShape(sizes));
  }
  NetworkSketch& Weight(std::string name, std::vector<int64_t> sizes) {
    Constant constant{.name = std::move(name),
                      .type = ElementType::kFloat,
                      .sizes = std::move(sizes)};
    constant.stored_bytes = *ElementCount(constant.sizes) * 4;
    network_.graph.constants.push_back(std::move(constant));
    return *this;
  }
  NetworkSketch& Integers(std::string name, std::vector<int64_t> values) {
    Constant constant{.name = std::move(name),
                      .type = ElementType::kInt64,
                      .sizes = {static_cast<int64_t>(values.size())},
                      .stored_bytes = values.size() * 8};
    constant.integers = std::move(values);
    network_.graph.constants.push_back(std::move(constant));
    return *this;
  }
  NetworkSketch& Scalar(std::string name, int64_t value,
                        ElementType type = ElementType::kInt64) {
    network_.graph.constants.push_back({.name = std::move(name),
                                        .type = type,
                                        .stored_bytes = 8,
                                        .integers = {value}});
    return *this;
  }
  NetworkSketch& Add(std::string op, std::vector<std::string> inputs,
                     std::vector<std::string> outputs,
                     std::vector<Attribute> attributes = {}) {
    Node node{.name = outputs.empty() ? op : op + "_" + outputs[0],
              .op = std::move(op),
              .inputs = std::move(inputs),
              .outputs = std::move(outputs),
              .attributes = std::move(attributes)};
    network_.graph.nodes.push_back(std::move(node));
    return *this;
  }
  NetworkSketch& Output(std::string name, ValueType type = {}) {
    network_.graph.outputs.push_back({std::move(name), std::move(type)});
    return *this;
  }

  Network& network() { return network_; }
  Graph& graph() { return network_.graph; }

 private:
  Network network_;
};

inline Attribute IntegersAttribute(std::string name,
                                   std::vector<int64_t> values) {
  return {std::move(name), std::move(values)};
}
inline Attribute IntegerAttribute(std::string name, int64_t value) {
  return {std::move(name), value};
}
inline Attribute TextAttribute(std::string name, std::string value) {
  return {std::move(name), std::move(value)};
}
inline Attribute GraphAttribute(std::string name, Graph graph) {
  return {std::move(name), std::vector<Graph>{std::move(graph)}};
}
inline Dimension Symbol(std::string name) {
  return {.symbol = std::move(name)};
}
inline Dimension Size(int64_t size) { return {.size = size}; }

// The result of Describe. Fails the test when Describe fails.
inline Characteristics Described(const Network& network,
                                 const DescribeRequest& request = {}) {
  auto described = Describe(network, request);
  EXPECT_TRUE(described.ok()) << described.error().message();
  return described.ok() ? *described : Characteristics{};
}

}  // namespace mete
