#include "adapters/matlab/mat_reader.h"

#include <fmt/format.h>
#include <matio.h>

#include <fstream>
#include <memory>

namespace mete {
namespace {

struct FileCloser {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
using MatFile = std::unique_ptr<mat_t, FileCloser>;

struct VariableFreer {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, VariableFreer>;

size_t CountElements(const matvar_t& variable) {
  size_t count = variable.rank > 0 ? 1 : 0;
  for (int axis = 0; axis < variable.rank; ++axis) count *= variable.dims[axis];
  return count;
}

// False if a damaged file claims more elements than there are bytes.
bool HoldsAll(const matvar_t& variable, size_t element_bytes) {
  return variable.data != nullptr &&
         CountElements(variable) <= variable.nbytes / element_bytes;
}

template <typename Number>
Result<std::vector<float>> Converted(const matvar_t& variable) {
  if (!HoldsAll(variable, sizeof(Number))) {
    return Corrupt("has fewer numbers than its size");
  }
  const auto* numbers = static_cast<const Number*>(variable.data);
  std::vector<float> samples(CountElements(variable));
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(numbers[i]);
  }
  return samples;
}

Result<std::vector<float>> ReadSamples(const matvar_t& variable) {
  if (variable.data == nullptr || variable.isComplex != 0) {
    return Corrupt("contains no real numbers");
  }
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      return Converted<double>(variable);
    case MAT_C_SINGLE:
      return Converted<float>(variable);
    case MAT_C_INT16:
      return Converted<int16_t>(variable);
    case MAT_C_INT32:
      return Converted<int32_t>(variable);
    default:
      return Corrupt("contains no signal of a supported number type");
  }
}

// Borrowed from `variable`.
Result<matvar_t*> GetField(matvar_t* variable, const std::string& field,
                           size_t element = 0) {
  matvar_t* found = nullptr;
  // Without data if the library could not allocate what the file claims.
  if (variable->class_type == MAT_C_STRUCT && variable->data != nullptr &&
      element < CountElements(*variable)) {
    found = Mat_VarGetStructFieldByName(variable, field.c_str(), element);
  }
  if (found == nullptr) return NotFound("has no field '" + field + "'");
  return found;
}

// The contents of a text; empty for anything else. Names are plain ASCII in all
// known files.
std::string ReadText(const matvar_t& variable) {
  std::string text;
  const bool wide = variable.data_size == 2;
  if (variable.class_type != MAT_C_CHAR || !HoldsAll(variable, wide ? 2 : 1)) {
    return text;
  }
  for (size_t i = 0; i < CountElements(variable); ++i) {
    text +=
        wide ? static_cast<char>(static_cast<const uint16_t*>(variable.data)[i])
             : static_cast<const char*>(variable.data)[i];
  }
  return text;
}

// The `Data` of the channel with that `Name`.
Result<matvar_t*> FindChannel(matvar_t* list, const std::string& name) {
  // A damaged file may claim billions. Known files have fewer than ten.
  constexpr size_t kMostChannels = 1000;
  if (CountElements(*list) > kMostChannels) {
    return Corrupt("lists more than 1000 channels");
  }
  for (size_t i = 0; i < CountElements(*list); ++i) {
    auto named = GetField(list, "Name", i);
    if (named.ok() && ReadText(**named) == name)
      return GetField(list, "Data", i);
  }
  return NotFound("has no channel '" + name + "'");
}

Result<matvar_t*> Descend(matvar_t* variable, const SignalPlace& place) {
  if (place.field.empty()) return variable;
  ASSIGN_OR_RETURN(matvar_t * field, GetField(variable, place.field));
  if (place.channel.empty()) return field;
  return FindChannel(field, place.channel);
}

// True if an element of a version 5 file exceeds the file; the library fills
// missing data with arbitrary memory. Does not check other versions.
bool EndsEarly(std::istream& file) {
  constexpr std::streamoff kHeader = 128;
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  char version[4] = {};  // version and byte order
  file.seekg(kHeader - 4);
  file.read(version, sizeof version);
  const bool little = std::string_view(version, 4) == std::string("\0\1IM", 4);
  if (!file || !little) return size < kHeader;
  std::streamoff place = kHeader;
  while (place < size) {
    uint32_t tag[2] = {};  // type and number of bytes
    file.seekg(place);
    file.read(reinterpret_cast<char*>(tag), sizeof tag);
    place += static_cast<std::streamoff>(sizeof tag) + tag[1];
    if (!file || place > size) return true;
  }
  return false;
}

Result<std::vector<float>> ReadSignal(const std::string& name,
                                      const SignalPlace& place) {
  MatFile file(Mat_Open(name.c_str(), MAT_ACC_RDONLY));
  if (!file) return Corrupt("is not a MATLAB file");
  Variable variable(Mat_VarRead(file.get(), place.variable.c_str()));
  if (!variable) return NotFound("has no variable '" + place.variable + "'");
  ASSIGN_OR_RETURN(matvar_t * found, Descend(variable.get(), place));
  return ReadSamples(*found);
}

}  // namespace

Result<std::vector<float>> MatReader::Read(const std::filesystem::path& file,
                                           const SignalPlace& place) {
  // The library does not report why it cannot open a file.
  std::ifstream readable(file);
  if (!readable) return SystemError("read " + file.string(), errno);
  if (EndsEarly(readable)) return Corrupt(file.string() + ": truncated");
  return ReadSignal(file.string(), place).While(file.string());
}

}  // namespace mete
