# shellcheck shell=bash
# Configuring, building and installing with CMake, silently: all output goes to a log beside the build, and its end
# is shown when something fails. Uses log.sh, slurm_versions.sh.

PROJECT_ROOT=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
# Two checkouts of one source share what ccache holds.
export CCACHE_BASEDIR=$PROJECT_ROOT CCACHE_NOHASHDIR=1

# build_directory PRESET: build/PRESET, or a folder of its own where slurm_use chose another Slurm than the machine's.
build_directory() {
    if [[ ${SLURM_INCLUDE_DIR:-/usr/include} == /usr/include ]]; then
        printf '%s/build/%s\n' "$PROJECT_ROOT" "$1"
    else
        printf '%s/build/%s-slurm-%s\n' "$PROJECT_ROOT" "$1" "$SLURM_VERSION"
    fi
}

# build_preset PRESET [TARGET...]: configures and builds all, or these targets.
build_preset() {
    local preset=$1 dir started=$SECONDS
    shift
    dir=$(build_directory "$preset")
    mkdir -p "$dir"
    local settings=()
    if [[ $dir == *-slurm-* ]]; then
        settings=(-DHYPERACC_SLURM_VERSION="$SLURM_VERSION" -DHYPERACC_SLURM_INCLUDE_DIR="$SLURM_INCLUDE_DIR")
    fi
    log_step "Building HyperAcc (${dir#"$PROJECT_ROOT/"})"
    (
        cd "$PROJECT_ROOT"
        log_run "$dir/configure.log" cmake --preset "$preset" -B "$dir" "${settings[@]}" &&
            log_run "$dir/build.log" cmake --build "$dir" ${1:+--target "$@"} -- --quiet
    ) || die "the build failed"
    sed -n 's/^-- HyperAcc: /    /p' "$dir/configure.log" >&2
    log_note "built in $((SECONDS - started)) s"
}

# build_install PRESET PREFIX: a fresh PREFIX. Everybody can read it and only root write, whatever the umask is.
build_install() {
    local dir
    dir=$(build_directory "$1")
    rm -rf "${2:?}"
    (umask 022 && log_run "$dir/install.log" cmake --install "$dir" --prefix "$2") || die "the installation into $2 failed"
}

# build_plugin PREFIX: the path of the installed plugin.
build_plugin() {
    local file
    for file in "$1"/lib*/slurm/spank_hyperacc.so "$1"/lib*/*/slurm/spank_hyperacc.so; do
        [[ ! -f $file ]] || {
            printf '%s\n' "$file"
            return
        }
    done
    die "there is no spank_hyperacc.so below $1"
}
