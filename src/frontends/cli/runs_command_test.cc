#include "cli/runs_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "support/file.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

class RunsCommandTest : public testing::Test {
 protected:
  void SaveRuns() {
    ASSERT_TRUE(store.SaveDevice({.id = "d", .name = "desk"}).ok());
    for (const char* id : {"01A", "01B"}) {
      mete::Run run;
      run.id = id;
      run.workload.name = std::string("net-") + id;
      run.device_id = "d";
      run.device_name = "desk";
      run.network()->samples = {0.25, 0.5};
      ASSERT_TRUE(store.SaveRun(run).ok());
    }
  }

  CommandRun Runs(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "runs");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddRunsCommand(root, verbs, [&]() -> Result<RunsDependencies> {
        if (no_store) return *no_store;
        return RunsDependencies{.store = store};
      });
    });
  }

  MemoryRunStore store;
  std::optional<Error> no_store;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(RunsCommandTest, ListOfAnEmptyStoreSuggestsHowToMeasure) {
  CommandRun run = Runs({"list"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "no runs yet; try: mete measure NET.onnx\n");
}

TEST_F(RunsCommandTest, ANamedStoreThatDoesNotExistIsAnErrorForReaders) {
  std::string path = (folder.path() / "typo.db").string();
  CommandRun run = Runs({"list", "--store", "sqlite:" + path});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "mete: open store " + path +
                         ": no such file; commands that measure create it\n");
  ASSERT_TRUE(WriteFileAtomically(path, "").ok());
  EXPECT_EQ(Runs({"list", "--store", "sqlite:" + path}).code, 0);
}

TEST_F(RunsCommandTest, QuietPrintsNoNotes) {
  CommandRun run = Runs({"list", "-q"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
}

TEST_F(RunsCommandTest, ListAppliesTheFilter) {
  SaveRuns();
  CommandRun run = Runs({"list", "--workload", "net-01A", "-o", "csv"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("net-01A"));
  EXPECT_THAT(run.out, Not(HasSubstr("net-01B")));
  EXPECT_EQ(Runs({"list", "--workload", "other"}).err, "no matching runs\n");
}

TEST_F(RunsCommandTest, ShowPrintsSamplesOnlyOnRequest) {
  SaveRuns();
  EXPECT_THAT(Runs({"show", "01A", "-o", "json"}).out,
              Not(HasSubstr("\"samples\"")));
  EXPECT_THAT(Runs({"show", "01A", "--samples", "-o", "json"}).out,
              HasSubstr("\"samples\""));
}

TEST_F(RunsCommandTest, AnAmbiguousIdIsAnErrorWithTheCandidates) {
  SaveRuns();
  CommandRun run = Runs({"show", "01"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "mete: several runs begin with '01': 01A, 01B\n");
}

TEST_F(RunsCommandTest, ReportIsWrittenToTheFile) {
  SaveRuns();
  std::string file = folder.path() / "run.html";
  CommandRun run = Runs({"report", "01A", "--out", file});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "wrote " + file + "\n");
  EXPECT_THAT(ReadFile(file).value(), HasSubstr("net-01A"));
}

TEST_F(RunsCommandTest, ExportedRunsCanBeImported) {
  SaveRuns();
  std::string file = folder.path() / "runs.jsonl";
  CommandRun exported = Runs({"export", file});
  EXPECT_EQ(exported.code, 0) << exported.err;
  EXPECT_EQ(exported.err, "wrote 3 lines to " + file + "\n");
  store = {};
  CommandRun imported = Runs({"import", file, "-o", "csv"});
  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_EQ(imported.out, "devices,networks,runs,known\n1,0,2,0\n");
  EXPECT_EQ(store.FindRun("01B")->network()->samples.size(), 2u);
}

TEST_F(RunsCommandTest, AStoreThatCannotBeOpenedIsAnError) {
  no_store = Unavailable("open runs.db: no such folder");
  CommandRun run = Runs({"list"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "mete: open runs.db: no such folder\n");
}

}  // namespace
}  // namespace mete
