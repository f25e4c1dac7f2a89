# shellcheck shell=bash
# Installs what a bare machine is missing: packages, ONNX Runtime and uPlot.
# Sourced by ./dev.

deps="$root/build/deps"
ort="$deps/onnxruntime"
npm_lock="$root/tools/npm.lock"
ort_at_least=1.17  # library.cc requires this version of the interface

# Packages for a purpose, one "package reason" per line.
packages_for() {
  case $1 in
    build) cat <<'LIST' ;;
g++ compiles mete
cmake configures the build
ninja-build runs the build
ccache makes the next build fast
pkg-config finds a system ONNX Runtime
libonnx-dev reads and writes networks
libprotobuf-dev reads and writes networks
protobuf-compiler is required by libonnx
libsqlite3-dev holds the store
zlib1g-dev compresses tables
nlohmann-json3-dev writes JSON
libsimdjson-dev reads large JSON fast
libcli11-dev reads the command line
libfmt-dev formats text
libyaml-cpp-dev reads configuration
libre2-dev matches regular expressions
libssl-dev computes SHA-256 and speaks TLS
libboost-dev speaks HTTP
libxgboost-dev trains predictors
libeigen3-dev solves linear equations
coinor-libclp-dev solves the linear programs of placement
coinor-libcbc-dev solves its integer programs
libkissfft-dev computes spectra
libstb-dev decodes images
libgtest-dev runs the tests
libgmock-dev runs the tests
LIST
    test)
      echo "docker.io runs images in the tests of the container launcher"
      echo "busybox-static is the content of those images"
      echo "debootstrap makes the base of mete's own images"
      echo "iproute2 gives the engine that builds them its own network"
      echo "curl asks the servers in them"
      echo "libtorch-dev trains the reference networks"
      echo "libopenblas0-pthread multiplies their matrices"
      echo "libmatio-dev reads their recordings"
      echo "gnuplot-nox draws the plots of sweeps in their tests"
      echo "python3 tests the tests: ./dev mutate"
      echo "prometheus provides node data in the tests of the profiling service"
      echo "prometheus-node-exporter provides metrics of this machine in those tests"
      ;;
    cluster)
      echo "dpkg-dev extracts source packages"
      echo "golang-1.19-go compiles Kubernetes"
      echo "golang-github-modern-go-reflect2-dev replaces an outdated part of it"
      echo "make builds Kubernetes"
      echo "binutils strips the programs"
      echo "rsync is required by the build of Kubernetes"
      echo "jq is required by the build of Kubernetes"
      echo "etcd-server is the database of the control plane"
      echo "etcd-client compacts that database in the tests"
      ;;
    images) echo "debootstrap makes the base of images without a registry" ;;
    bench) echo "wrk sends requests to services in the benchmarks" ;;
    demo) echo "curl sends requests to the service in the demo" ;;
    fuzz)
      echo "clang-14 builds the fuzz targets"
      echo "libclang-rt-14-dev is the fuzzer itself"
      ;;
    format) echo "clang-format-14 formats the code" ;;
    lint)
      echo "clang-14 provides headers that clang-tidy needs"
      echo "clang-tidy-14 checks the code"
      ;;
  esac
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The lines of packages_for whose package is not installed.
missing_for() {
  local purpose package why
  for purpose in "$@"; do
    packages_for "$purpose" | while read -r package why; do
      installed "$package" || echo "$package $why"
    done
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# The package lists are fetched once, and only when something is missing.
apt_updated=
update_lists() {
  [ -z "$apt_updated" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "needs root, or sudo, to install packages"
    sudo -v  # asks for the password now, while output is visible
  fi
  step "fetch the package lists" as_root apt-get -q update
  apt_updated=yes
}

# install_packages "package reason" …
install_packages() {
  local line names=()
  [ $# -gt 0 ] || return 0
  for line in "$@"; do names+=("${line%% *}"); done
  if ! command -v apt-get >/dev/null; then
    say "This is not Debian or Ubuntu; install the equivalents of:"
    printf '   %s\n' "$@" >&2
    die "cannot install packages here"
  fi
  say "Missing packages:"
  printf '   %s\n' "$@" >&2
  local command=(apt-get -q install -y --no-install-recommends "${names[@]}")
  if [ -n "$no_install" ]; then
    die "--no-install was given; install them with: ${command[*]}"
  fi
  update_lists
  step "install ${#names[@]} packages" as_root "${command[@]}"
}

system_has_ort() {
  pkg-config --atleast-version="$ort_at_least" libonnxruntime 2>/dev/null
}

# Whether the system could install a new enough ONNX Runtime.
system_offers_ort() {
  local version
  version=$(apt-cache policy libonnxruntime-dev 2>/dev/null |
    awk '$1 == "Candidate:" { print $2 }')
  [ -n "$version" ] && [ "$version" != "(none)" ] &&
    dpkg --compare-versions "$version" ge "$ort_at_least"
}

have_ort_headers() { [ -f "$ort/include/onnxruntime_c_api.h" ]; }
have_ort_library() {
  [ -n "${METE_ONNXRUNTIME:-}" ] || [ -f "$ort/lib/libonnxruntime.so.1" ]
}
have_ort() { { have_ort_headers && have_ort_library; } || system_has_ort; }

have_uplot() { [ -f "$deps/uplot/dist/uPlot.iife.min.js" ]; }

# setup PURPOSE…: installs everything these purposes need, in one step.
setup() {
  local wanted=()
  mapfile -t wanted < <(missing_for "$@")
  if [[ " $* " == *" build "* ]] && ! { have_ort && have_uplot; }; then
    # With npm and every package installed, root is not needed.
    if [ -z "$no_install" ] && command -v apt-get >/dev/null &&
      { [ ${#wanted[@]} -gt 0 ] || ! command -v npm >/dev/null; }; then
      update_lists
    fi
    local fetches=yes
    if ! have_ort && system_offers_ort; then
      wanted+=("libonnxruntime-dev runs networks")
      ! have_uplot || fetches=
    fi
    if [ -n "$fetches" ] && ! command -v npm >/dev/null; then
      wanted+=("npm fetches files that this system does not package")
      installed ca-certificates ||
        wanted+=("ca-certificates lets npm verify the server")
    fi
  fi
  install_packages "${wanted[@]}"
  [[ " $* " == *" build "* ]] || return 0
  have_ort || bring_ort
  have_uplot || step "fetch uPlot, which draws the charts of reports" take uplot
}

bring_ort() {
  have_ort_library || step "fetch ONNX Runtime's library" take ort-library
  have_ort_headers || step "fetch ONNX Runtime's headers" take ort-headers
}

# take PART: fetches the pinned package, verifies it, and extracts the part. The
# part appears under its name only when complete, so a failed run can be repeated.
take() {
  local part=$1 package inside place integrity
  read -r _ _ package inside place integrity < <(
    awk -v part="$part" -v machine="$(uname -m)" \
      '$1 == part && ($2 == machine || $2 == "any")' "$npm_lock"
  ) || true
  if [ -z "${package:-}" ]; then
    echo "$npm_lock has no $part for $(uname -m)"
    [ "$part" != ort-library ] || echo "set METE_ONNXRUNTIME to a library"
    return 1
  fi
  local work="$deps/.$part.$$"
  mkdir -p "$work" "$(dirname "$deps/$place")"
  fetch "$package" "$work" || return 1
  check "$work"/*.tgz "$integrity" || return 1
  tar -xzf "$work"/*.tgz -C "$work" "$inside" || return 1
  rm -rf "${deps:?}/$place"
  mv "$work/$inside" "$deps/$place" || return 1
  rm -rf "$work"
}

# Uses npm only to download: nothing is installed and no package script runs.
fetch() {
  local certificates=/etc/ssl/certs/ca-certificates.crt
  if [ -z "${NODE_EXTRA_CA_CERTS:-}" ] && [ -f "$certificates" ]; then
    export NODE_EXTRA_CA_CERTS=$certificates
  fi
  npm pack "$1" --pack-destination "$2" --ignore-scripts --loglevel error
}

# check ARCHIVE INTEGRITY: npm writes the digest in base64, sha512sum in hex.
check() {
  local wanted
  wanted=$(base64 -d <<<"${2#sha512-}" | od -An -v -tx1 | tr -d ' \n')
  echo "$wanted  $1" | sha512sum --check --quiet ||
    { echo "the archive is not the one pinned in $npm_lock"; return 1; }
}
