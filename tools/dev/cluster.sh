# shellcheck shell=bash
# Builds a Kubernetes control plane for the integration tests from Debian's source
# package, once per machine. Sourced by ./dev.
#
# The programs are kept outside the tree, below one folder for each version of the
# source and of Go; `current` is a link to the newest. A program that is there is not
# built again, so an interrupted run resumes with the next one.

cluster_cache="${XDG_CACHE_HOME:-$HOME/.cache}/mete/kubernetes"
cluster_programs=(kube-apiserver kube-controller-manager kube-scheduler kubemark
  kubelet)

run_cluster() {
  mkdir -p "$cluster_cache"
  exec 9>"$cluster_cache/lock"
  flock -n 9 || die "another ./dev cluster is running"
  setup cluster
  [ -n "$(command -v apt-get)" ] || die "needs the source packages of Debian"
  step "fetch the list of source packages" source_lists
  local version go key
  version=$(private_apt apt-cache showsrc --only-source kubernetes |
    sed -n 's/^Version: //p' | sort -V | tail -n 1)
  [ -n "$version" ] || die "no source package kubernetes is offered here"
  go=$(dpkg-query -W -f '${Version}' golang-1.19-go)
  key=$(tr -c 'a-zA-Z0-9.\n' '-' <<<"$version-go$go-$(dpkg --print-architecture)")
  ln -sfn "$key" "$cluster_cache/current"
  build_programs "$version" "$cluster_cache/$key"
  say "The control plane is in $cluster_cache/current; ./dev test uses it."
}

# build_programs VERSION FOLDER
build_programs() {
  local version=$1 folder=$2 program
  mkdir -p "$folder"
  for program in "${cluster_programs[@]}"; do
    [ ! -x "$folder/$program" ] || continue
    [ -f "$folder/source/ready" ] ||
      step "fetch and generate the source of Kubernetes (4 min)" \
        kubernetes_source "$version" "$folder/source"
    step "build $program" kubernetes_program "$folder/source/tree" "$program" "$folder"
  done
  rm -rf "$folder/source"
}

# private_apt COMMAND…: runs apt with lists of source packages in our own folder, so
# the configuration of the system stays as it is.
private_apt() {
  local command=$1 apt="$cluster_cache/apt"
  shift
  "$command" -o "Dir::Etc::sourcelist=$apt/sources.list" \
    -o "Dir::Etc::sourceparts=$apt/sources.list.d" \
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" \
    -o APT::Sandbox::User=root "$@"
}

# The system's own sources with every `deb` replaced by `deb-src`. A source that
# offers no source packages only causes a warning.
source_lists() {
  local apt="$cluster_cache/apt" file
  mkdir -p "$apt/sources.list.d" "$apt/lists/partial" "$apt/cache/archives/partial"
  : >"$apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -f "$file" ] || continue
    sed -E 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$file" \
      >"$apt/sources.list.d/${file##*/}"
  done
  private_apt apt-get -q update || true
}

# kubernetes_source VERSION FOLDER
kubernetes_source() {
  local version=$1 folder=$2 tree
  rm -rf "$folder"
  mkdir -p "$folder"
  cd "$folder" || return 1
  private_apt apt-get -q source "kubernetes=$version" || return 1
  tree=$(find . -mindepth 1 -maxdepth 1 -type d -name 'kubernetes-*')
  mv "$tree" tree
  cd tree || return 1
  # The vendored reflect2 crashes with Go 1.18 and later; Debian's does not.
  local reflect=vendor/github.com/modern-go/reflect2
  rm -f "$reflect"/*.go "$reflect"/*.s
  cp /usr/share/gocode/src/github.com/modern-go/reflect2/*.{go,s} "$reflect/" ||
    return 1
  mkdir -p .go/src/k8s.io
  ln -s ../../.. .go/src/k8s.io/kubernetes
  go_environment make generated_files || return 1
  touch "$folder/ready"
}

# kubernetes_program TREE PROGRAM FOLDER: the program appears when it is complete.
kubernetes_program() {
  cd "$1" || return 1
  go_environment make "WHAT=cmd/$2" || return 1
  strip -o "$3/.$2" "_output/local/bin/linux/$(dpkg --print-architecture)/$2" &&
    mv "$3/.$2" "$3/$2"
}

go_environment() {
  local version
  version=$(sed -n '1s/.*really\([0-9.]*\).*/\1/p' debian/changelog)
  env PATH="/usr/lib/go-1.19/bin:$PATH" GOPATH="$PWD/.go" CGO_ENABLED=0 GOPROXY=off \
    GOCACHE="$PWD/.go/cache" KUBE_GIT_VERSION="v${version:-1.20.2}" \
    KUBE_GIT_COMMIT=debian KUBE_GIT_TREE_STATE=archive KUBE_GIT_MAJOR=1 \
    KUBE_GIT_MINOR=20 "$@"
}
