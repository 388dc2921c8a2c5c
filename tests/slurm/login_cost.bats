# shellcheck shell=bats
# What the plugin costs srun, sbatch and salloc: it opens its own file and plugstack.conf, and links nothing but libc,
# libm and the loader.

load suite

# files_of COMMAND…: what its processes on the login side open, one a line; libraries and folders too.
files_of() {
    cluster_as_user timeout 60 strace -qq -f -e trace=open,openat,openat2,execve -e signal=none -o "$CLUSTER_DIR/work/trace" \
        "$@" </dev/null >/dev/null
    sed -n -e 's/.*open[a-z0-9]*(.*"\([^"]*\)".* = [0-9].*/\1/p' -e 's/.*execve("\([^"]*\)".* = 0$/\1/p' \
        "$CLUSTER_DIR/work/trace" | grep -vE '^/(proc|sys|dev)/|fault\.' | sort -u
}

# costs_nothing COMMAND…: with the plugin it opens what it opens without, and the plugin.
costs_nothing() {
    plugstack_text ''
    files_of "${@//--hyperacc=all/--quiet}" >"$BATS_TEST_TMPDIR/without"
    plugstack default=rope
    files_of "$@" >"$BATS_TEST_TMPDIR/with"
    assert_equal "$(comm -13 "$BATS_TEST_TMPDIR/without" "$BATS_TEST_TMPDIR/with")" "$PLUGIN"
}

@test "srun" { costs_nothing srun --hyperacc=all true; }

@test "sbatch" { costs_nothing sbatch --hyperacc=all --output=/dev/null --wrap=true; }

@test "salloc" { costs_nothing salloc --hyperacc=all true; }

@test "the plugin links libc, libm and the loader, at most" {
    run readelf -d "$PLUGIN"
    assert_success
    refute_output --regexp 'RPATH|RUNPATH'
    assert_equal "$(grep NEEDED <<<"$output" | sed 's/.*\[\(.*\)\]/\1/' | grep -vxE 'libc\.so\.6|libm\.so\.6|ld-linux.*')" ''
}

# A thread in slurmstepd makes setns fail, and every job under job_container with it (ovis-hpc/ldms#2104).
@test "srun has no thread more with the plugin" {
    local threads=()
    plugstack_text ''
    threads+=("$(threads_of srun true)")
    plugstack default=all
    threads+=("$(threads_of srun --hyperacc=all true)")
    assert_equal "${threads[1]}" "${threads[0]}"
}

threads_of() {
    cluster_as_user timeout 60 strace -qq -f -e trace=clone,clone3 -o "$CLUSTER_DIR/work/trace" "$@" </dev/null
    grep -c CLONE_THREAD "$CLUSTER_DIR/work/trace"
}
