#include "adapters/sqlite/sqlite_profile_store.h"

#include "adapters/sqlite/run_rows.h"
#include "support/json.h"

namespace mete {
namespace {

std::string AnnotationsText(const LabelMap& annotations) {
  Json document = Json::object();
  for (const auto& [key, value] : annotations) document[key] = value;
  return DumpJson(document);
}

Result<StoredProfile> ProfileOfRow(const Statement& row) {
  StoredProfile profile{.object = {.kind = std::string(row.Text(0)),
                                   .space = std::string(row.Text(1)),
                                   .name = std::string(row.Text(2))},
                        .updated_at = FromMicroseconds(row.Integer(3))};
  ASSIGN_OR_RETURN(Json document, ParseJson(row.Text(4)));
  return ReadJson("profile", [&] {
    for (const auto& [key, value] : document.items()) {
      profile.annotations[key] = value.get<std::string>();
    }
    return profile;
  });
}

}  // namespace

Result<std::unique_ptr<SqliteProfileStore>> SqliteProfileStore::Open(
    const SqliteStoreRequest& request) {
  ASSIGN_OR_RETURN(Database database, OpenStoreFile(request));
  return std::unique_ptr<SqliteProfileStore>(
      new SqliteProfileStore(std::move(database)));
}

Status SqliteProfileStore::Save(const StoredProfile& profile) {
  const ObjectRef& object = profile.object;
  if (object.kind.empty() || object.name.empty()) {
    return InvalidInput("save profile: it has no kind or name");
  }
  ASSIGN_OR_RETURN(
      Statement remove,
      database_.Prepare("DELETE FROM profiles WHERE kind = ? AND space = ? AND "
                        "name = ?"));
  RETURN_IF_ERROR(
      remove.Bind(object.kind).Bind(object.space).Bind(object.name).Run());
  if (profile.annotations.empty()) return {};
  ASSIGN_OR_RETURN(
      Statement insert,
      database_.Prepare("INSERT INTO profiles (kind, space, name, updated_at, "
                        "document) VALUES (?, ?, ?, ?, ?)"));
  return insert.Bind(object.kind)
      .Bind(object.space)
      .Bind(object.name)
      .Bind(Microseconds(profile.updated_at))
      .Bind(AnnotationsText(profile.annotations))
      .Run();
}

Status SqliteProfileStore::SaveProfiles(
    const std::vector<StoredProfile>& profiles) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  for (const StoredProfile& profile : profiles) {
    RETURN_IF_ERROR(Save(profile));
  }
  return transaction.Commit();
}

Result<std::vector<StoredProfile>> SqliteProfileStore::ListProfiles() {
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT kind, space, name, updated_at, document FROM "
                        "profiles ORDER BY kind, space, name"));
  std::vector<StoredProfile> profiles;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return profiles;
    ASSIGN_OR_RETURN(StoredProfile profile, ProfileOfRow(select));
    profiles.push_back(std::move(profile));
  }
}

}  // namespace mete
