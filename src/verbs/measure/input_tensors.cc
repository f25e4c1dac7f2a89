#include "measure/input_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "measure/npy.h"
#include "measure/picture_tensor.h"
#include "support/nearest.h"
#include "support/random.h"
#include "support/units.h"

namespace mete {
namespace {

// Memory limit for feeds. Pictures beyond it are left out, and the origin says
// how many were used.
constexpr uint64_t kMostFeedBytes = Mebibytes(512).count;
constexpr uint64_t kMostInputBytes = Gibibytes(16).count;

// Small non-negative integers are valid token ids and indices for nearly all
// networks.
constexpr uint64_t kIntegersBelow = 10;

uint16_t ToHalf(double value) {
  // Exact for multiples of 2^-10 in [1, 2): sign 0, exponent 15, ten bits.
  auto fraction = static_cast<uint16_t>(value * 1024);
  return static_cast<uint16_t>(0x3C00 | (fraction & 0x3FF));
}

template <typename T>
void Put(std::vector<std::byte>& bytes, size_t index, T value) {
  std::memcpy(&bytes[index * sizeof(T)], &value, sizeof(T));
}

// One random element; floats in [0, 1), half floats in [1, 2).
Status PutRandom(Random& random, TensorValue& value, size_t i) {
  auto integer = [&] { return random.Below(kIntegersBelow); };
  switch (value.type) {
    case ElementType::kFloat:
      Put(value.bytes, i, static_cast<float>(random.Uniform()));
      return {};
    case ElementType::kDouble:
      Put(value.bytes, i, random.Uniform());
      return {};
    case ElementType::kFloat16:
      Put(value.bytes, i, ToHalf(random.Uniform()));
      return {};
    case ElementType::kBool:
      Put(value.bytes, i, static_cast<uint8_t>(random.Below(2)));
      return {};
    case ElementType::kInt8:
    case ElementType::kUint8:
      Put(value.bytes, i, static_cast<uint8_t>(integer()));
      return {};
    case ElementType::kInt16:
    case ElementType::kUint16:
      Put(value.bytes, i, static_cast<uint16_t>(integer()));
      return {};
    case ElementType::kInt32:
    case ElementType::kUint32:
      Put(value.bytes, i, static_cast<uint32_t>(integer()));
      return {};
    case ElementType::kInt64:
    case ElementType::kUint64:
      Put(value.bytes, i, integer());
      return {};
    default:
      return Unsupported(
          fmt::format("input '{}' has type {}, which cannot be generated at "
                      "random; use --input to read a file",
                      value.name, ToString(value.type)));
  }
}

// IEEE 754 half precision, rounded to nearest; too large becomes infinity.
uint16_t ToHalfBits(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  float size = std::abs(value);
  if (!(size < 65520)) return static_cast<uint16_t>(sign | 0x7C00);
  if (size < 6.103515625e-05F) {  // subnormal: multiples of 2^-24
    return static_cast<uint16_t>(sign | std::lround(std::ldexp(size, 24)));
  }
  uint32_t rounded = (bits & 0x7FFFFFFF) + 0xFFF + ((bits >> 13) & 1);
  return static_cast<uint16_t>(sign | ((rounded - (112U << 23)) >> 13));
}

// Writes the number to all elements. Fails when the type cannot hold it.
template <typename T>
Status FillWith(double number, TensorValue& value) {
  bool fits = std::is_floating_point_v<T> ||
              (number == std::floor(number) &&
               number >= static_cast<double>(std::numeric_limits<T>::min()) &&
               number < std::ldexp(1.0, std::numeric_limits<T>::digits));
  if (!fits) {
    return InvalidInput(fmt::format("{} does not fit input '{}' of type {}",
                                    number, value.name, ToString(value.type)));
  }
  for (size_t i = 0; i < value.bytes.size() / sizeof(T); ++i) {
    Put(value.bytes, i, static_cast<T>(number));
  }
  return {};
}

Status FillWithNumber(double number, TensorValue& value) {
  auto real = static_cast<float>(number);
  switch (value.type) {
    case ElementType::kFloat:
      return FillWith<float>(number, value);
    case ElementType::kDouble:
      return FillWith<double>(number, value);
    case ElementType::kFloat16:
      return FillWith<uint16_t>(ToHalfBits(real), value);
    case ElementType::kBfloat16:
      return FillWith<uint16_t>(std::bit_cast<uint32_t>(real) >> 16, value);
    case ElementType::kBool:
      if (number != 0 && number != 1) {
        return InvalidInput(
            fmt::format("input '{}' is bool: 0 or 1", value.name));
      }
      return FillWith<uint8_t>(number, value);
    case ElementType::kInt8:
      return FillWith<int8_t>(number, value);
    case ElementType::kUint8:
      return FillWith<uint8_t>(number, value);
    case ElementType::kInt16:
      return FillWith<int16_t>(number, value);
    case ElementType::kUint16:
      return FillWith<uint16_t>(number, value);
    case ElementType::kInt32:
      return FillWith<int32_t>(number, value);
    case ElementType::kUint32:
      return FillWith<uint32_t>(number, value);
    case ElementType::kInt64:
      return FillWith<int64_t>(number, value);
    case ElementType::kUint64:
      return FillWith<uint64_t>(number, value);
    default:
      return Unsupported(fmt::format("input '{}' has type {}", value.name,
                                     ToString(value.type)));
  }
}

}  // namespace

std::optional<double> ParseInputNumber(const std::string& text) {
  if (text == "zeros" || text == "false") return 0;
  if (text == "ones" || text == "true") return 1;
  double number = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, number);
  bool whole = error == std::errc() && stop == end && std::isfinite(number);
  return whole ? std::optional(number) : std::nullopt;
}

namespace {

// Bytes of an input whose sizes are known; 0 for types without a size. Fails
// with kInvalidInput when it is larger than any machine's memory.
Result<uint64_t> ComputeByteSize(const GraphValue& input) {
  if (BitsPerElement(input.type.type) == 0) return 0;
  auto bytes = ByteCount(input.type.type, *input.type.shape);
  if (!bytes || *bytes > kMostInputBytes) {
    return InvalidInput(fmt::format("input '{}' of {} would take more than {}",
                                    input.name, FormatShape(*input.type.shape),
                                    FormatBytes({kMostInputBytes})));
  }
  return *bytes;
}

// A tensor of the input's type and sizes, which must be known.
Result<TensorValue> EmptyTensor(const GraphValue& input) {
  TensorValue value{.name = input.name, .type = input.type.type};
  for (const Dimension& axis : *input.type.shape) {
    value.sizes.push_back(*axis.size);
  }
  ASSIGN_OR_RETURN(uint64_t bytes, ComputeByteSize(input));
  value.bytes.resize(bytes);
  return value;
}

Result<TensorValue> ConstantTensor(const GraphValue& input, double number) {
  ASSIGN_OR_RETURN(TensorValue value, EmptyTensor(input));
  RETURN_IF_ERROR(FillWithNumber(number, value).While("--input"));
  return value;
}

Result<TensorValue> RandomTensor(const GraphValue& input, uint64_t seed) {
  ASSIGN_OR_RETURN(TensorValue value, EmptyTensor(input));
  Random random(DeriveSeed(seed, input.name));
  uint64_t count = *ElementCount(value.sizes);
  for (size_t i = 0; i < count; ++i) {
    RETURN_IF_ERROR(PutRandom(random, value, i));
  }
  return value;
}

// Splits "name=x.npy"; a lone value belongs to the only input.
Result<std::pair<std::string, std::string>> NameAndPath(
    const std::string& text, const std::vector<GraphValue>& inputs) {
  std::vector<std::string> names;
  for (const GraphValue& input : inputs) names.push_back(input.name);
  for (const std::string& name : names) {
    if (text.starts_with(name + "=")) {
      return std::pair(name, text.substr(name.size() + 1));
    }
  }
  std::error_code error;
  if (inputs.size() == 1 && std::filesystem::exists(text, error)) {
    return std::pair(names[0], text);
  }
  size_t equals = text.find('=');
  if (equals != std::string::npos) {
    std::string name = text.substr(0, equals);
    return InvalidInput(
        fmt::format("--input {}: the network has no input "
                    "'{}'{}",
                    text, name, DidYouMean(name, names)));
  }
  if (inputs.size() == 1) return std::pair(names[0], text);
  return InvalidInput(
      fmt::format("--input {}: the network has {} inputs; write name={}", text,
                  inputs.size(), text));
}

// What --input gives for each input.
struct GivenInputs {
  std::map<std::string, TensorValue> files;
  std::map<std::string, double> numbers;  // for all elements
};

Error NoSuchInputFile(const std::string& text) {
  return NotFound(
      fmt::format("--input {}: no such file; expected a NumPy file, a number, "
                  "zeros or ones",
                  text));
}

// A file determines the sizes of its input, as --shape does.
Result<GivenInputs> ReadGiven(const InputRequest& request,
                              const std::vector<GraphValue>& inputs,
                              InputSizes& sizes) {
  GivenInputs values;
  for (const std::string& text : request.given) {
    ASSIGN_OR_RETURN(auto named, NameAndPath(text, inputs));
    if (auto number = ParseInputNumber(named.second)) {
      values.numbers[named.first] = *number;
      continue;
    }
    std::error_code error;
    if (!std::filesystem::exists(named.second, error)) {
      return NoSuchInputFile(text);
    }
    ASSIGN_OR_RETURN(TensorValue value, ReadNpy(named.second));
    value.name = named.first;
    bool positive = std::all_of(value.sizes.begin(), value.sizes.end(),
                                [](int64_t size) { return size > 0; });
    if (!positive) {
      return InvalidInput(fmt::format("--input {}: the array is empty", text));
    }
    sizes.shapes.push_back({.input = value.name, .sizes = value.sizes});
    values.files[named.first] = std::move(value);
  }
  return values;
}

bool IsPicture(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  const std::set<std::string> endings = {".jpg", ".jpeg", ".png", ".bmp"};
  return endings.contains(ending);
}

// Sorted by name, including subfolders.
Result<std::vector<std::filesystem::path>> FindPictures(
    const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::recursive_directory_iterator walk(folder, error);
  if (error) return SystemError("read " + folder.string(), error.value());
  std::vector<std::filesystem::path> paths;
  std::error_code ignored;  // a dangling link is not a picture
  for (const auto end = std::filesystem::recursive_directory_iterator();
       walk != end; walk.increment(error)) {
    if (walk->is_regular_file(ignored) && IsPicture(walk->path())) {
      paths.push_back(walk->path());
    }
  }
  // A failed increment ends the iteration silently.
  if (error) return SystemError("read " + folder.string(), error.value());
  if (paths.empty()) {
    return NotFound(fmt::format("no jpg, png or bmp in {}", folder.string()));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Builds the feeds of an image network, a batch of pictures each.
class PictureFeeds {
 public:
  PictureFeeds(const GraphValue& input, ImageReader& images)
      : input_(input), images_(images) {}

  // One feed per picture, up to the memory limit. Each batch takes the next
  // pictures in turn.
  Result<std::vector<TensorValue>> Make(
      const std::vector<std::filesystem::path>& paths) {
    ASSIGN_OR_RETURN(PictureLayout layout, DetectPictureLayout(input_));
    ASSIGN_OR_RETURN(uint64_t batch_bytes, ComputeByteSize(input_));
    uint64_t batch = static_cast<uint64_t>(*(*input_.type.shape)[0].size);
    if (batch == 0) {
      return InvalidInput(fmt::format(
          "input '{}' takes no images: its batch is 0", input_.name));
    }
    uint64_t feeds = std::clamp<uint64_t>(kMostFeedBytes / batch_bytes, 1,
                                          (paths.size() + batch - 1) / batch);
    std::vector<TensorValue> values;
    for (uint64_t feed = 0; feed < feeds; ++feed) {
      TensorValue value{.name = input_.name, .type = input_.type.type};
      for (const Dimension& axis : *input_.type.shape) {
        value.sizes.push_back(*axis.size);
      }
      for (uint64_t item = 0; item < batch; ++item) {
        const auto& path = paths[(feed * batch + item) % paths.size()];
        RETURN_IF_ERROR(Append(path, layout, value));
      }
      values.push_back(std::move(value));
    }
    used_ = std::min<size_t>(feeds * batch, paths.size());
    return values;
  }

  size_t used() const { return used_; }

 private:
  Status Append(const std::filesystem::path& path, const PictureLayout& layout,
                TensorValue& value) {
    ASSIGN_OR_RETURN(Picture picture, images_.Read(path));
    ASSIGN_OR_RETURN(auto floats, Preprocess(picture, layout, images_));
    auto* begin = reinterpret_cast<const std::byte*>(floats.data());
    value.bytes.insert(value.bytes.end(), begin,
                       begin + floats.size() * sizeof(float));
    return {};
  }

  const GraphValue& input_;
  ImageReader& images_;
  size_t used_ = 0;
};

std::string DescribeOrigin(const InputRequest& request,
                           const std::vector<std::string>& random,
                           const std::vector<std::string>& integers) {
  std::vector<std::string> parts;
  for (const std::string& text : request.given) {
    size_t equals = text.find('=');
    bool number = ParseInputNumber(text.substr(equals + 1)).has_value();
    parts.push_back((number ? "" : "file ") + text);
  }
  if (!random.empty()) {
    parts.push_back(request.given.empty()
                        ? "random"
                        : fmt::format("random {}", fmt::join(random, ", ")));
  }
  if (!integers.empty()) {
    parts.push_back(fmt::format("integers 0 to {} in {}", kIntegersBelow - 1,
                                fmt::join(integers, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

Result<InputFeeds> MakeInputs(const std::vector<GraphValue>& inputs,
                              const InputRequest& request,
                              ImageReader& images) {
  InputSizes sizes = request.sizes;
  ASSIGN_OR_RETURN(GivenInputs given, ReadGiven(request, inputs, sizes));
  ASSIGN_OR_RETURN(BoundInputs bound, BindInputs(inputs, sizes));
  RETURN_IF_ERROR(CheckBatch(bound.inputs, request.sizes.batch));
  if (OpenInputsNote(bound.inputs)) {
    return InvalidInput(*OpenInputsNote(
        bound.inputs,
        request.suggest_length ? request.suggest_length() : kExampleLength));
  }

  InputFeeds result{.feeds = {{}}};
  std::vector<std::string> random;
  for (const GraphValue& input : bound.inputs) {
    result.shapes.push_back(input.name + "=" + FormatShape(*input.type.shape));
    if (auto file = given.files.find(input.name); file != given.files.end()) {
      for (auto& feed : result.feeds) feed.push_back(file->second);
      continue;
    }
    if (auto number = given.numbers.find(input.name);
        number != given.numbers.end()) {
      ASSIGN_OR_RETURN(auto value, ConstantTensor(input, number->second));
      for (auto& feed : result.feeds) feed.push_back(value);
      continue;
    }
    bool takes_pictures =
        !request.picture_folder.empty() &&
        (bound.inputs.size() == 1 || DetectPictureLayout(input).ok());
    if (!takes_pictures) {
      ASSIGN_OR_RETURN(auto value, RandomTensor(input, request.seed));
      for (auto& feed : result.feeds) feed.push_back(value);
      random.push_back(input.name);
      if (IsInteger(input.type.type) && input.type.type != ElementType::kBool) {
        result.random_integers.push_back(input.name);
      }
      continue;
    }
    ASSIGN_OR_RETURN(auto paths, FindPictures(request.picture_folder));
    PictureFeeds pictures(input, images);
    ASSIGN_OR_RETURN(auto values, pictures.Make(paths));
    result.feeds.resize(values.size(), result.feeds[0]);
    for (size_t i = 0; i < values.size(); ++i) {
      result.feeds[i].push_back(std::move(values[i]));
    }
    result.origin = fmt::format("pictures of {} ({} of {})",
                                request.picture_folder.string(),
                                pictures.used(), paths.size());
  }
  if (result.origin.empty()) {
    result.origin = DescribeOrigin(request, random, result.random_integers);
  }
  return result;
}

}  // namespace mete
