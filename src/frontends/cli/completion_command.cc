#include "cli/completion_command.h"

#include "flags/completion.h"

namespace mete {
namespace {

using Generator = std::string (*)(const std::vector<CompletionCommand>&);

void AddShell(Command parent, const std::string& shell,
              const std::string& example, Generator generate, Verbs& verbs) {
  Command command =
      parent.Add(shell, "Print the completion script for " + shell, example);
  verbs.push_back(
      {.command = command, .run = [generate](Invocation& invocation) {
         invocation.output.PrintText(generate(CompletionTree(invocation.root)));
         return Result<ExitCode>(ExitCode::kDone);
       }});
}

}  // namespace

void AddCompletionCommand(Command root, Verbs& verbs) {
  Command completion =
      root.Add("completion", "Print a completion script for a shell",
               "eval \"$(mete completion bash)\"");
  completion.WantsSubcommand();
  AddShell(completion, "bash", "eval \"$(mete completion bash)\"",
           BashCompletion, verbs);
  AddShell(completion, "zsh", "source <(mete completion zsh)", ZshCompletion,
           verbs);
  AddShell(completion, "fish", "mete completion fish | source", FishCompletion,
           verbs);
}

}  // namespace mete
