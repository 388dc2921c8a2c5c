#!/usr/bin/env bash
# Builds HyperAcc and runs its tests through ctest.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/cluster.sh"
. "$here/lib/build.sh"

usage() {
    cat <<EOF
Usage: ./dev test [--slurm V] [CTEST ARGUMENTS]

Runs all tests: unit and property tests, Python tests, and the suite on a live Slurm.
--slurm V   builds against that Slurm version (24.11 or 26.05, see './dev cluster --help') and runs the live suite on it
All else goes to ctest: -R NAME runs the tests whose name matches, -N lists them, -V shows their output.
EOF
}

version=''
arguments=()
while (($#)); do
    case $1 in
        --slurm)
            (($# > 1)) || die "--slurm needs a version"
            version=$2
            shift
            ;;
        -h | --help) usage && exit 0 ;;
        --guest | --torch-matrix) die "$1 is not available yet" ;;
        *) arguments+=("$1") ;;
    esac
    shift
done

packages_install build slurm demo test
slurm_use "$version"
# Another Slurm changes nothing but the plugin and what runs it.
[[ $(build_directory dev) != *-slurm-* ]] || arguments=(-L slurm "${arguments[@]}")
build_preset dev
log_step "Testing (Slurm $SLURM_VERSION)"
exec ctest --test-dir "$(build_directory dev)" --output-on-failure --no-tests=error -j "$(nproc)" "${arguments[@]}"
