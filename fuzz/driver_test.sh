# driver_test.sh PROGRAM: the driver must find the bug of planted_bug_fuzz from a
# seed near it, keep the input, and find the bug again in that input.
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/corpus"
printf 'a bug? no' >"$folder/corpus/near"
printf 'and no!' >"$folder/corpus/other"

"$program" "$folder/corpus" "-artifact_prefix=$folder/" || {
  echo "the seeds are harmless, but the driver failed"
  exit 1
}
if "$program" -max_total_time=100 "-artifact_prefix=$folder/" \
  "$folder/corpus"; then
  echo "the driver did not find the bug"
  exit 1
fi
grep -q 'bug!' "$folder/planted_bug_fuzz.input"
cp "$folder/planted_bug_fuzz.input" "$folder/found"
if "$program" "-artifact_prefix=$folder/" "$folder/found"; then
  echo "the kept input is harmless"
  exit 1
fi
