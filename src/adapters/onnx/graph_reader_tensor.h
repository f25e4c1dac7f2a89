// Tensors of an ONNX file: sizes and small contents, never whole weights.
#pragma once

#include "adapters/onnx/external_data.h"
#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Reads a TensorProto. Fails with kCorrupt when sizes are negative or
// implausible, or when the length of the content does not match them.
Result<Constant> ReadTensor(const WireReader& message,
                            const ExternalFolder& folder);

// Reads a SparseTensorProto: sizes of the dense tensor and bytes of the stored
// values and indices, but no content.
Result<Constant> ReadSparseTensor(const WireReader& message,
                                  const ExternalFolder& folder);

}  // namespace mete
