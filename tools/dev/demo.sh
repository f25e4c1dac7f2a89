# shellcheck shell=bash
# What mete does, on this machine, with a store of its own. Sourced by ./dev.

# demo METE FOLDER
demo() {
  local mete=$1 folder=$2 networks=(lenet5 squeezenet1.1 mobilenet-v2 lstm) name
  rm -rf "$folder"
  mkdir -p "$folder"
  cd "$folder" || exit
  # The commands are shown as a user would type them.
  shown() {
    printf '\n$ mete %s\n' "$*"
    "$mete" --store "sqlite:$folder/demo.db" "$@"
  }
  printf 'In %s, with a store of its own:\n' "$folder"
  shown zoo build networks --only "${networks[@]}"
  shown describe networks/mobilenet-v2.onnx
  for name in "${networks[@]}"; do
    tolerate_unstable shown measure "networks/$name.onnx" --max-duration 10s
  done
  shown measure --memory 64Mi --timeout 10s -- sha256sum networks/mobilenet-v2.onnx
  shown session run "$root/examples/session.yaml" --out session
  shown devices list
  shown runs list
  printf '\nThe program is %s; try it on a network of yours.\n' "$mete"
}

# Exit code 4 is an answer, not a failure: on a busy machine the numbers do
# not settle in the time allowed, and mete says so.
tolerate_unstable() {
  local status=0
  "$@" || status=$?
  case $status in
    0) ;;
    4) printf '(exit code 4: unstable; the run is kept, and marked so)\n' ;;
    *) exit "$status" ;;
  esac
}
