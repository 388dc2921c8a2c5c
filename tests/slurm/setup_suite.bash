# shellcheck shell=bash
# Once for all files: the build is installed where only root can write, as on a real cluster.

# What a tester has in the shell must not reach the jobs.
_forget_tester() {
    local name
    for name in "${!HA_@}" "${!SLURM_@}" "${!SBATCH_@}" "${!SALLOC_@}" "${!SRUN_@}" PYTHONPATH GLIBC_TUNABLES THP_MEM_ALLOC_ENABLE; do
        case $name in
            SLURM_CONF | SLURM_VERSION | SLURM_INCLUDE_DIR) ;;
            *) unset "$name" ;;
        esac
    done
}

setup_suite() {
    : "${BUILD:?the build directory}" "${CLUSTER_DIR:?run by scripts/cluster.sh run}"
    _forget_tester
    # shellcheck source=../../scripts/lib/cluster.sh
    . "$BATS_TEST_DIRNAME/../../scripts/lib/cluster.sh"
    . "$BATS_TEST_DIRNAME/../../scripts/lib/build.sh"
    export PREFIX=$CLUSTER_DIR/prefix SUITE=$BATS_TEST_DIRNAME
    rm -rf "$PREFIX"
    (umask 022 && cmake --install "$BUILD" --prefix "$PREFIX") >"$BUILD/install_for_slurm_suite.log"
    PLUGIN=$(build_plugin "$PREFIX")
    LIBRARIES=$(dirname "${PLUGIN%/*}")/hyperacc
    export PLUGIN LIBRARIES PLUGIN_WITH_FAULTS=${PLUGIN%/*}/spank_hyperacc_faults.so
    install -m 755 "$BUILD/spank/spank_hyperacc_faults.so" "$PLUGIN_WITH_FAULTS"
    export PROBE=$PREFIX/jobs/probe OUTCOMES=$BUILD/slurm_faults.txt
    install -D -m 755 "$BATS_TEST_DIRNAME/jobs/probe" "$PROBE"
    rm -f "$OUTCOMES"
}

teardown_suite() {
    [[ ! -e $OUTCOMES ]] || sed 's/^/# /' "$OUTCOMES" >&3
}
