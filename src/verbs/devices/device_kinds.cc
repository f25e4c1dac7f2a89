#include "devices/device_kinds.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace mete {
namespace {

// Facts from the vendors' data sheets. Boards sold with several memory sizes
// have none here.
struct Board {
  std::string_view name;
  std::string_view architecture;
  std::string_view cpu_model;
  int cores;
  double max_frequency_hz;
  uint64_t ram_mebibytes;  // 0: several sizes
};

constexpr std::array<Board, 10> kBoards = {{
    {"Raspberry Pi 3B", "aarch64", "Cortex-A53", 4, 1.2e9, 1024},
    {"Raspberry Pi 3B+", "aarch64", "Cortex-A53", 4, 1.4e9, 1024},
    {"Raspberry Pi 4B", "aarch64", "Cortex-A72", 4, 1.5e9, 0},
    {"Raspberry Pi 5", "aarch64", "Cortex-A76", 4, 2.4e9, 0},
    {"Raspberry Pi Zero 2 W", "aarch64", "Cortex-A53", 4, 1.0e9, 512},
    {"Jetson Nano", "aarch64", "Cortex-A57", 4, 1.43e9, 4096},
    {"Jetson TX2", "aarch64", "Cortex-A57", 6, 2.0e9, 8192},
    {"Jetson Xavier NX", "aarch64", "Carmel", 6, 1.9e9, 0},
    {"Jetson AGX Xavier", "aarch64", "Carmel", 8, 2.26e9, 0},
    {"Jetson Orin Nano", "aarch64", "Cortex-A78AE", 6, 1.5e9, 0},
}};

// Both "Raspberry Pi 4 Model B Rev 1.4" and "raspberry-pi 4b" become
// "raspberrypi4b". Drops vendors' words and everything from the revision on.
std::string Essence(std::string_view name) {
  std::string essence;
  std::string word;
  bool over = false;
  auto end_word = [&] {
    if (word == "rev" || word == "revision") over = true;
    bool filler = word == "model" || word == "nvidia" || word == "developer" ||
                  word == "kit" || word == "plus";
    if (word == "plus") essence += '+';
    if (!over && !filler) essence += word;
    word.clear();
  };
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '+') {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else {
      end_word();
    }
  }
  end_word();
  return essence;
}

ClusterNode ToNode(const Board& board) {
  ClusterNode node{.name = std::string(board.name),
                   .device_model = std::string(board.name)};
  node.facts.architecture = board.architecture;
  node.facts.cpu_model = board.cpu_model;
  node.facts.cores = board.cores;
  node.facts.max_frequency_hz = board.max_frequency_hz;
  node.facts.ram = Mebibytes(board.ram_mebibytes);
  return node;
}

bool GoesBy(const ClusterNode& node, const std::string& essence) {
  for (const std::string* name :
       {&node.name, &node.device_model, &node.facts.board}) {
    if (!name->empty() && Essence(*name) == essence) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> KnownKinds() {
  std::vector<std::string> names;
  for (const Board& board : kBoards) names.emplace_back(board.name);
  return names;
}

std::optional<ClusterNode> FindKind(std::string_view name,
                                    const std::vector<ClusterNode>& nodes) {
  std::string essence = Essence(name);
  if (essence.empty()) return std::nullopt;
  for (bool measured : {true, false}) {
    for (const ClusterNode& node : nodes) {
      if (node.unknown || node.micro.has_value() != measured) continue;
      if (GoesBy(node, essence)) return node;
    }
  }
  for (const Board& board : kBoards) {
    if (Essence(board.name) == essence) return ToNode(board);
  }
  return std::nullopt;
}

}  // namespace mete
