# shellcheck shell=bash
# Builds the container images with Docker, Podman or anything with the same
# commands. Sourced by ./dev.

images="$root/build/images"
images_release=bookworm
image_names=(mete mete-agent mete-torch)
debian_image=debian:12-slim

# The engine's command line: $METE_ENGINE, or the first one that answers.
find_engine() {
  local engine
  for engine in ${METE_ENGINE:-docker podman}; do
    if "$engine" info >/dev/null 2>&1; then
      echo "$engine"
      return
    fi
  done
  die "no container engine answers; start dockerd or install podman," \
    "or name its command line in METE_ENGINE"
}

# The packages that the Dockerfile of an image names.
image_packages() {
  sed -n 's/^ARG PACKAGES="\(.*\)"$/\1/p' "$root/packaging/docker/$1.Dockerfile"
}

# Copies an image's program and what it loads to the build context.
stage_image() {
  local name=$1 context="$images/$1"
  rm -rf "$context"
  mkdir -p "$context/root/usr/bin" "$context/root/usr/lib"
  install -s "$root/build/release/bin/$name" "$context/root/usr/bin/"
  install "$root/packaging/docker/mete-health" "$context/root/usr/bin/"
  if [ "$name" = mete ]; then
    # The library next to bin/ is the one that mete loads first.
    cp -L "${METE_ONNXRUNTIME:-$ort/lib/libonnxruntime.so.1}" \
      "$context/root/usr/lib/libonnxruntime.so.1"
  fi
}

# Where this machine gets the packages of the release from.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' "Codename: $images_release" \
    'Created-By: Packages' | head -n 1
}

# make_base NAME: imports a minimal Debian with the image's packages as the image
# NAME-base, for machines that no registry reaches.
make_base() {
  local name=$1 folder="$images/$1-base" mirror
  mirror=$(debian_mirror)
  if [ -z "$mirror" ]; then
    echo "apt has no sources of $images_release, so debootstrap has none either"
    return 1
  fi
  rm -rf "$folder"
  mkdir -p "$images/packages"
  as_root debootstrap --variant=minbase --cache-dir="$images/packages" \
    --include="$(image_packages "$name" | tr ' ' ,)" \
    "$images_release" "$folder" "$mirror" || return 1
  # Downloads, documentation, and the address of this machine's mirror.
  as_root rm -rf "$folder"/var/cache/apt "$folder"/var/lib/apt/lists/* \
    "$folder"/usr/share/{doc,man,info,locale} "$folder"/var/log/* \
    "$folder"/etc/apt/sources.list
  as_root tar -C "$folder" -c . | "$engine" import - "$name-base" || return 1
  as_root rm -rf "$folder"
}

# Prints the image to start from: Debian's if the engine has it or can pull it.
find_base() {
  if "$engine" image inspect "$debian_image" >/dev/null 2>&1 ||
    timeout 60 "$engine" pull -q "$debian_image" >/dev/null 2>&1; then
    echo "$debian_image"
  fi
}

# build_image NAME BASE
build_image() {
  "$engine" build --file "$root/packaging/docker/$1.Dockerfile" \
    --build-arg BASE="$2" --tag "$1:$version" "$images/$1"
}

# run_images [NAME…]
run_images() {
  local names=("$@") name base engine version
  [ ${#names[@]} -gt 0 ] || names=("${image_names[@]}")
  for name in "${names[@]}"; do
    [[ " ${image_names[*]} " == *" $name "* ]] ||
      die "no image '$name'; there are ${image_names[*]}"
  done
  engine=$(find_engine)
  if [ ! -x "$root/build/release/bin/mete-torch" ]; then run_build; fi
  version=$("$root/build/release/bin/mete" --version | awk '{ print $2 }')
  base=$(find_base)
  if [ -z "$base" ]; then
    say "$engine cannot pull $debian_image; making its own Debian by debootstrap."
    setup images
  fi
  for name in "${names[@]}"; do
    stage_image "$name"
    [ -n "$base" ] ||
      step "make a Debian for $name" make_base "$name"
    step "build image $name:$version" build_image "$name" "${base:-$name-base}"
  done
}
