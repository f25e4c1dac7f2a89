// The command line of mete-agent.
#pragma once

#include <string>

#include "flags/command.h"

namespace mete {

// The values of the flags.
struct AgentFlags {
  std::string listen = "127.0.0.1:5001";
  std::string node;  // empty: NODE_NAME, or the host's name
  std::string max_age = "500ms";
  std::string timeout = "2s";
  std::string web_config;
  std::string hook_folder;  // empty: the default
  bool no_hooks = false;
  bool hooks_for_all = false;
  std::string app_window = "10s";
  std::string app_expiry = "60s";
  std::string buckets;  // empty: the default
  bool compat = false;
  std::string location;
  std::string state;  // empty: the default
  std::string root = "/";
  std::string user = "nobody";
  bool read_all = false;
  std::string mete;  // empty: beside this program, or on the PATH
  bool no_measure = false;
  bool measure = false;
  bool list_metrics = false;
};

void AddAgentFlags(Command command, AgentFlags& flags);

// Fills in the default state folder and hook folder unless flags set them. The
// defaults of root and of other users differ, so call this before dropping
// privileges.
void ChooseFolders(AgentFlags& flags);

}  // namespace mete
