// Tensors of an ONNX file: sizes and small contents, never whole weights.
#pragma once

#include "adapters/onnx/external_data.h"
#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Reads a TensorProto. Fails with kCorrupt when sizes are negative or absurd,
// or when the content is not as long as the sizes say.
Result<Constant> ReadTensor(const WireReader& message,
                            const ExternalFolder& folder);

// Reads a SparseTensorProto: sizes of the dense tensor, bytes of the stored
// values and indices, no content.
Result<Constant> ReadSparseTensor(const WireReader& message,
                                  const ExternalFolder& folder);

}  // namespace mete
