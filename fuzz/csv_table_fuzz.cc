// Parses arbitrary text as CSV, as a table of samples and as a table for
// training. Accepted tables must survive being written.
#include "domain/latency_row.h"
#include "fuzz/input.h"
#include "report/sample_table.h"
#include "support/check.h"
#include "support/csv.h"

namespace {

void CheckRecords(std::string_view text) {
  auto records = mete::ParseCsv(text);
  if (!records.ok()) return;
  std::string written;
  for (const mete::CsvRecord& record : *records) {
    written += mete::CsvLine(record.cells);
  }
  auto again = mete::ParseCsv(written);
  CHECK(again.ok() && again->size() == records->size()) << written;
  for (size_t i = 0; i < records->size(); ++i) {
    CHECK((*again)[i].cells == (*records)[i].cells) << written;
  }
}

void CheckSamples(std::string_view text) {
  auto table = mete::SampleTable::FromCsv(text);
  if (!table.ok()) return;
  for (const std::string& name : table->names()) {
    CHECK(table->Find(name)->size() == table->rows());
  }
}

std::string WriteRows(const std::vector<mete::LatencyRow>& rows) {
  std::string text = mete::LatencyCsvHeader();
  for (const mete::LatencyRow& row : rows) text += mete::ToCsvLine(row);
  return text;
}

void CheckLatencies(std::string_view text) {
  auto rows = mete::ParseLatencyCsv(text);
  if (!rows.ok()) return;
  const std::string written = WriteRows(*rows);
  auto again = mete::ParseLatencyCsv(written);
  CHECK(again.ok()) << again.error().message();
  CHECK(WriteRows(*again) == written) << written;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  CheckRecords(text);
  CheckSamples(text);
  CheckLatencies(text);
  // Most changes of a header are refused at once, so it is also added.
  CheckLatencies(mete::LatencyCsvHeader() + std::string(text));
  return 0;
}
