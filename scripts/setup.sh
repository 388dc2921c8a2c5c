#!/usr/bin/env bash
# Installs the Debian packages that HyperAcc's development needs, those that are missing.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/log.sh"
. "$here/lib/packages.sh"

if [[ ${1-} == -h || ${1-} == --help ]]; then
    cat <<EOF
Usage: ./dev setup [GROUP...]
Installs what is missing (as root; no service is started) of the package groups, all of them by default:
  build  compiler, CMake, libraries         slurm  Slurm and munge, for the private cluster
  demo   what the example job needs         test   test frameworks and fuzzer
  lint   formatters and linters             versions  what unpacks other Slurm versions
EOF
    exit 0
fi

groups=("$@")
((${#groups[@]})) || groups=(build slurm demo test lint versions)
packages_install "${groups[@]}"
