#!/usr/bin/env bash
# Builds the libFuzzer targets and runs each for a while, starting from the corpus in tests/fuzz/corpus.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/log.sh"
. "$here/lib/packages.sh"
. "$here/lib/build.sh"

if [[ ${1-} == -h || ${1-} == --help ]]; then
    cat <<EOF
Usage: ./dev fuzz [SECONDS] [TARGET...]
Runs each target (fuzz_NAME; all of them by default) for SECONDS (60). Inputs found on the way stay in
build/fuzz/corpus; one that fails is in build/fuzz/artifacts.
EOF
    exit 0
fi

seconds=60
if [[ ${1-} =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
fi

packages_install build test
build=$PROJECT_ROOT/build/fuzz
mkdir -p "$build/artifacts"
log_step "Building the fuzz targets (build/fuzz)"
log_run "$build/configure.log" cmake -S "$PROJECT_ROOT" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DHYPERACC_FUZZ=ON -DHYPERACC_TESTS=OFF
log_run "$build/build.log" cmake --build "$build"

targets=("$@")
if ((${#targets[@]} == 0)); then
    mapfile -t targets < <(find "$build" -type f -name 'fuzz_*' -executable -printf '%f\n' | sort)
    ((${#targets[@]})) || die "the build made no fuzz_* target"
fi

failed=()
for target in "${targets[@]}"; do
    program=$(find "$build" -type f -name "$target" -executable -print -quit)
    [[ -n $program ]] || die "there is no fuzz target '$target'"
    log_step "$target, $seconds s"
    mkdir -p "$build/corpus/$target"
    # New inputs go to the first folder, the checked-in ones are only read.
    corpus=("$build/corpus/$target")
    for folder in "$PROJECT_ROOT/tests/fuzz/corpus/$target" "$PROJECT_ROOT/tests/fuzz/corpus/${target#fuzz_}"; do
        [[ ! -d $folder ]] || corpus+=("$folder")
    done
    if log_run "$build/$target.log" "$program" -max_total_time="$seconds" -timeout=10 -verbosity=1 \
        -artifact_prefix="$build/artifacts/$target-" "${corpus[@]}"; then
        sed -n 's/^Done /    done: /p' "$build/$target.log"
    else
        failed+=("$target")
    fi
done
((${#failed[@]} == 0)) || die "these targets failed: ${failed[*]}; the inputs are in build/fuzz/artifacts"
