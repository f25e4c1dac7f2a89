// Kubernetes' notation of amounts: "250m", "1.5", "512Mi", "1e3".
#pragma once

#include <optional>
#include <string_view>

namespace mete {

// The plain number that a quantity stands for. Absent when it is not one.
std::optional<double> ParseQuantity(std::string_view text);

}  // namespace mete
