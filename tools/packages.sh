# SPDX-License-Identifier: MIT
# What Debian 12 and 13 call the things we need; read by tools/run and tools/test.

BUILD_PACKAGES="gcc libc6-dev meson ninja-build pkg-config python3 libglib2.0-dev libsqlite3-dev
  libopenblas-dev libjson-glib-dev libcairo2-dev zlib1g-dev"
WINDOW_PACKAGES="libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev
  fonts-cantarell adwaita-icon-theme librsvg2-common"
DATA_PACKAGES="dataset-fashion-mnist"
TEST_PACKAGES="xvfb xauth xdotool fonts-dejavu-core gsettings-desktop-schemas"

have_package() {
  dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'
}

# Installs those of the packages that are missing; asks for the password when need be.
need_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is not Debian: see the README for the packages to install." >&2
    return 0
  fi
  missing=
  for package in "$@"; do
    have_package "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  echo "Installing:$missing"
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
  else
    echo "Neither root nor sudo: please install the packages above and start again." >&2
    exit 1
  fi
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=500 update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=500 install -y -qq \
    --no-install-recommends $missing >/dev/null
}
