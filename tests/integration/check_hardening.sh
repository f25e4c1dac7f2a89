#!/bin/sh
# Fails unless each PROGRAM was built as METE_HARDEN promises.
# Usage: check_hardening.sh PROGRAM…
set -eu
status=0

# require PROGRAM WHAT PATTERN READELF-FLAG
require() {
  readelf -W "$4" "$1" | grep -q "$3" && return
  echo "$1: $2 is missing"
  status=1
}

for program in "$@"; do
  require "$program" "position independence" 'Type: *DYN' -h
  require "$program" "RELRO" GNU_RELRO -l
  require "$program" "binding of all symbols at the start" 'FLAGS.*NOW' -d
  require "$program" "the stack protector" __stack_chk_fail --dyn-syms
  require "$program" "a checked library call" '_chk@GLIBC' --dyn-syms
done
exit $status
