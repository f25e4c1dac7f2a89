#include "domain/mix_observation.h"

#include <fmt/format.h>

#include "domain/csv_columns.h"

namespace mete {
namespace {

constexpr std::string_view kMixTable =
    "is this a table of mete contend --export-table?";

template <typename Visitor>
void VisitTimes(Visitor& visit, const std::string& prefix,
                RequestTimes& times) {
  visit(prefix + "mean_s", times.mean);
  visit(prefix + "p50_s", times.p50);
  visit(prefix + "p75_s", times.p75);
  visit(prefix + "p95_s", times.p95);
  visit(prefix + "p99_s", times.p99);
}

// The columns are listed only here.
template <typename Visitor>
void VisitObservation(Visitor& visit, MixObservation& row) {
  visit("mix", row.mix);
  visit("kind", row.kind);
  visit("seed", row.seed);
  visit("device", row.device);
  visit("cores", row.cores);
  visit("window_s", row.window_s);
  visit("started_at", row.started_at);
  visit("application", row.tenant.application);
  visit("instances", row.tenant.instances);
  visit("rate", row.tenant.rate);
  visit("sent", row.sent);
  visit("answered", row.answered);
  visit("failed", row.failed);
  visit("saturated", row.saturated);
  VisitTimes(visit, "service_", row.service);
  VisitTimes(visit, "sojourn_", row.sojourn);
  visit("cpu_cores", row.usage.cpu_cores);
  visit("cache_references_per_s", row.usage.cache_references_per_s);
  visit("cache_misses_per_s", row.usage.cache_misses_per_s);
  visit("page_faults_per_s", row.usage.page_faults_per_s);
  visit("memory_bytes", row.usage.memory_bytes);
}

// No load at all is possible: such a service is there and does nothing.
Status CheckTenant(const Tenant& tenant, size_t line) {
  if (tenant.instances < 0) {
    return Corrupt(fmt::format("line {}, column instances: {} is negative",
                               line, tenant.instances));
  }
  if (tenant.rate < 0) {
    return Corrupt(
        fmt::format("line {}, column rate: {} is negative", line, tenant.rate));
  }
  return {};
}

}  // namespace

std::string MixCsvHeader() {
  return CsvLine(ColumnNames<MixObservation>(VisitObservation<ColumnNamer>));
}

std::string ToCsvLine(const MixObservation& row) {
  MixObservation copy = row;  // visitors may modify the row
  CellWriter writer;
  VisitObservation(writer, copy);
  return CsvLine(writer.cells);
}

Result<std::vector<MixObservation>> ParseMixCsv(std::string_view text) {
  ASSIGN_OR_RETURN(
      auto rows,
      ParseTable<MixObservation>(text, kMixTable, VisitObservation<ColumnNamer>,
                                 VisitObservation<CellReader>));
  for (size_t i = 0; i < rows.size(); ++i) {
    RETURN_IF_ERROR(CheckTenant(rows[i].tenant, i + 2));
  }
  return rows;
}

}  // namespace mete
