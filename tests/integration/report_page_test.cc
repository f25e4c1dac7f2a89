// Tests a report in a browser. Skipped if no Chromium is installed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/file.h"
#include "tests/integration/browser.h"

namespace mete {
namespace {

// Runs a session whose names try to break out of the page.
void MakeReport(const std::filesystem::path& folder) {
  ASSERT_TRUE(WriteFileAtomically(folder / "spec.yaml", R"(
name: "</script><script>document.title='broken'</script>"
defaults: {sample: 100Hz, repeat: 2}
applications:
  - name: "<img src=x onerror=document.title='broken'>"
    command: [sh, -c, "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]
    limits: {memory: 64Mi}
  - name: gone
    command: /nowhere/app
)")
                  .ok());
  std::string command = "cd '" + folder.string() +
                        "' && METE_STATE=state HOME=. " METE_PROGRAM
                        " --store sqlite:state/mete.db session run spec.yaml "
                        "--out out >log.txt 2>&1";
  int status = std::system(command.c_str());
  ASSERT_EQ(WEXITSTATUS(status), 1) << ReadFile(folder / "log.txt").value();
}

TEST(ReportPage, DrawsItsChartsWithoutErrors) {
  auto scratch = ScratchFolder::Create();
  ASSERT_TRUE(scratch.ok());
  std::string browser = FindBrowser(scratch->path());
  if (browser.empty()) GTEST_SKIP() << "no Chromium is installed";
  MakeReport(scratch->path());
  std::string page =
      Opened(browser, scratch->path() / "out" / "report.html", scratch->path());
  EXPECT_TRUE(Has(page, "<canvas"));
  EXPECT_FALSE(Has(page, "data-failed"));
  EXPECT_TRUE(Has(page, "data-drawn=\""));
  EXPECT_FALSE(Has(page, "data-drawn=\"0\""));
  EXPECT_TRUE(Has(page, "CPU cores in use"));
  EXPECT_TRUE(Has(page, "limit 64.0 MiB"));
  EXPECT_TRUE(Has(page, "Could not be started"));
  EXPECT_FALSE(Has(page, "<title>broken"));
  EXPECT_FALSE(Has(page, "<img"));
}

}  // namespace
}  // namespace mete
