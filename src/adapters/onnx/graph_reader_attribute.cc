#include "adapters/onnx/graph_reader_attribute.h"

#include <bit>

#include "adapters/onnx/graph_reader_tensor.h"

namespace mete {
namespace {

// AttributeProto.AttributeType.
enum Kind : int64_t {
  kFloatKind = 1,
  kIntKind = 2,
  kStringKind = 3,
  kTensorKind = 4,
  kGraphKind = 5,
  kFloatsKind = 6,
  kIntsKind = 7,
  kStringsKind = 8,
  kGraphsKind = 10,
  kSparseTensorKind = 11,
};

double ToReal(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

// A list that was too long to keep.
Constant LongList(ElementType type, uint64_t count, uint64_t bytes) {
  return {.type = type,
          .sizes = {static_cast<int64_t>(count)},
          .stored_bytes = bytes};
}

}  // namespace

Status AttributeParts::Add(const WireReader& message, const WireField& field,
                           const ExternalFolder& folder) {
  switch (field.number) {
    case 1: {
      ASSIGN_OR_RETURN(name_, message.Text(field));
      return {};
    }
    case 2: {
      if (field.type != WireType::kFixed32) {
        return Corrupt("a number of an attribute has the wrong type");
      }
      real_ = ToReal(field.value);
      return {};
    }
    case 3: {
      ASSIGN_OR_RETURN(integer_, ReadInteger(field));
      return {};
    }
    case 4: {
      ASSIGN_OR_RETURN(text_, message.Text(field));
      return {};
    }
    case 5: {
      ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
      ASSIGN_OR_RETURN(tensor_, ReadTensor(inner, folder));
      return {};
    }
    case 7:
      return AddReals(message, field);
    case 8:
      return AddIntegers(message, field);
    case 9: {
      ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
      text_bytes_ += inner.remaining();
      if (++text_count_ > Constant::kKeptElements) return {};
      ASSIGN_OR_RETURN(std::string text, message.Text(field));
      texts_.push_back(std::move(text));
      return {};
    }
    case 20: {
      ASSIGN_OR_RETURN(kind_, ReadInteger(field));
      return {};
    }
    case 21: {
      ASSIGN_OR_RETURN(reference_, message.Text(field));
      return {};
    }
    case 22: {
      ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
      ASSIGN_OR_RETURN(tensor_, ReadSparseTensor(inner, folder));
      return {};
    }
    default:
      return {};
  }
}

Status AttributeParts::AddReals(const WireReader& message,
                                const WireField& field) {
  auto add = [&](uint64_t bits) {
    if (++real_count_ <= Constant::kKeptElements) {
      reals_.push_back(ToReal(bits));
    }
  };
  if (field.type == WireType::kFixed32) {
    add(field.value);
    return {};
  }
  ASSIGN_OR_RETURN(WireReader packed, message.Inside(field));
  while (!packed.AtEnd()) {
    ASSIGN_OR_RETURN(uint32_t bits, packed.NextFixed32());
    add(bits);
  }
  return {};
}

Status AttributeParts::AddIntegers(const WireReader& message,
                                   const WireField& field) {
  auto add = [&](uint64_t bits) {
    if (++integer_count_ <= MostIntegers()) {
      integers_.push_back(static_cast<int64_t>(bits));
    }
  };
  if (field.type == WireType::kVarint) {
    add(field.value);
    return {};
  }
  ASSIGN_OR_RETURN(WireReader packed, message.Inside(field));
  while (!packed.AtEnd()) {
    ASSIGN_OR_RETURN(uint64_t bits, packed.NextVarint());
    add(bits);
  }
  return {};
}

// Files name an attribute before they list its values.
uint64_t AttributeParts::MostIntegers() const {
  const bool tree = name_ == "nodes_treeids" || name_ == "nodes_nodeids" ||
                    name_ == "nodes_truenodeids" ||
                    name_ == "nodes_falsenodeids";
  return tree ? kKeptTreeNodes : Constant::kKeptElements;
}

int64_t AttributeParts::GuessedKind() const {
  if (kind_ != 0) return kind_;
  if (real_) return kFloatKind;
  if (integer_) return kIntKind;
  if (text_) return kStringKind;
  if (tensor_) return kTensorKind;
  if (!graphs_.empty()) return kGraphsKind;
  if (real_count_ > 0) return kFloatsKind;
  if (integer_count_ > 0) return kIntsKind;
  if (text_count_ > 0) return kStringsKind;
  return 0;
}

Result<Attribute> AttributeParts::Take() {
  if (name_.empty()) return Corrupt("an attribute has no name");
  Attribute attribute{.name = std::move(name_)};
  constexpr uint64_t kKept = Constant::kKeptElements;
  if (!reference_.empty()) {
    attribute.value = AttributeReference{std::move(reference_)};
    return attribute;
  }
  switch (GuessedKind()) {
    case kFloatKind:
      attribute.value = real_.value_or(0);
      break;
    case kIntKind:
      attribute.value = integer_.value_or(0);
      break;
    case kStringKind:
      attribute.value = std::move(text_).value_or("");
      break;
    case kTensorKind:
    case kSparseTensorKind:
      if (!tensor_) return Corrupt("an attribute lacks its tensor");
      attribute.value = *std::move(tensor_);
      break;
    case kGraphKind:
    case kGraphsKind:
      attribute.value = std::move(graphs_);
      break;
    case kFloatsKind:
      if (real_count_ > kKept) {
        attribute.value =
            LongList(ElementType::kFloat, real_count_, real_count_ * 4);
      } else {
        attribute.value = std::move(reals_);
      }
      break;
    case kIntsKind:
      if (integer_count_ > integers_.size()) {
        attribute.value =
            LongList(ElementType::kInt64, integer_count_, integer_count_ * 8);
      } else {
        attribute.value = std::move(integers_);
      }
      break;
    case kStringsKind:
      if (text_count_ > kKept) {
        attribute.value =
            LongList(ElementType::kString, text_count_, text_bytes_);
      } else {
        attribute.value = std::move(texts_);
      }
      break;
    default:
      break;
  }
  return attribute;
}

}  // namespace mete
