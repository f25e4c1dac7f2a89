// Reads and writes fake network files: it remembers written networks, and reads
// other files as one operator.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "domain/graph.h"
#include "domain/network_draft.h"
#include "ports/graph_reader.h"
#include "ports/graph_writer.h"
#include "support/file.h"
#include "support/sha256.h"

namespace mete {

// Writes the path as the content, so that every file has a different digest.
class FakeGraphFiles final : public GraphWriter, public GraphReader {
 public:
  Status Write(const NetworkDraft& draft,
               const std::filesystem::path& path) override {
    drafts_[path] = draft;
    return WriteFileAtomically(path, path.string());
  }

  // Returns one relu of four numbers unless the file was written here.
  Result<Network> ReadWithin(const std::filesystem::path& path,
                             const GraphLimits&) override {
    Network network;
    ASSIGN_OR_RETURN(network.sha256, Sha256OfFile(path));
    if (auto draft = drafts_.find(path); draft != drafts_.end()) {
      network.graph = draft->second.graph;
      network.operator_sets = {{"", draft->second.opset}};
      return network;
    }
    network.graph.name = "relu";
    GraphValue value{.name = "input",
                     .type = {.type = ElementType::kFloat,
                              .shape = Shape{{.symbol = "N"}, {.size = 4}}}};
    network.graph.inputs = {value};
    network.graph.nodes = {{.name = "relu",
                            .op = "Relu",
                            .inputs = {"input"},
                            .outputs = {"output"}}};
    value.name = "output";
    network.graph.outputs = {value};
    return network;
  }

 private:
  std::map<std::filesystem::path, NetworkDraft> drafts_;
};

}  // namespace mete
