#!/usr/bin/env bash
# Formats the C++ sources in place.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/log.sh"
. "$here/lib/packages.sh"
. "$here/lib/build.sh"
. "$here/lib/sources.sh"

if [[ ${1-} == -h || ${1-} == --help ]]; then
    echo 'Usage: ./dev format     (clang-format on every C and C++ file)'
    exit 0
fi
packages_install lint
cd "$PROJECT_ROOT"
sources_cpp | xargs -0r clang-format -i
