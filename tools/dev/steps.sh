# shellcheck shell=bash
# Messages and steps: what ./dev is doing, how long it took, and the end of the
# log on failure. Sourced by ./dev.

say() { printf '%s\n' "$*" >&2; }

die() {
  say "dev: $*"
  exit 1
}

# step "what it does" COMMAND…: runs the command with its output in a log, prints
# how long it took, and shows the end of the log on failure.
step() {
  local title=$1 log pid status=0 start=$SECONDS
  shift
  mkdir -p "$root/build/logs"
  log="$root/build/logs/$(tr -cs 'a-zA-Z0-9\n' '-' <<<"$title").log"
  say "-- $title"
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # A background process does not receive Ctrl-C.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  follow "$log" "$pid"
  wait "$pid" || status=$?
  trap - INT TERM
  if [ "$status" -ne 0 ]; then
    say "-- $title: failed after $((SECONDS - start)) s; the end of $log:"
    tail -n 40 "$log" >&2
    exit "$status"
  fi
  say "-- $title: done in $((SECONDS - start)) s"
}

# On a terminal, shows the last line of the log while the process runs.
follow() {
  local log=$1 pid=$2
  [ -t 2 ] || return 0
  while kill -0 "$pid" 2>/dev/null; do
    printf '\r\033[K   %.70s' "$(tail -n 1 "$log" | tr -d '\r')" >&2
    sleep 0.5
  done
  printf '\r\033[K' >&2
}
