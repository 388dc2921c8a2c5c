# shellcheck shell=bats
# What the plugin loads and hands on lies where only root can write, or is left out with one line; the job runs.

load suite

setup() {
    suite_setup
    NODE_LIBRARY=$LIBRARIES/libhyperacc_node.so
    cp -p "$NODE_LIBRARY" "$BATS_TEST_TMPDIR/"
}

# Whatever a test did to the installation.
teardown() {
    mv -f "$BATS_TEST_TMPDIR/libhyperacc_node.so" "$NODE_LIBRARY"
    chmod go-w "$LIBRARIES" "$LIBRARIES/python" "$PREFIX"
    chown root: "$LIBRARIES"
    [[ ! -e $LIBRARIES/python.away ]] || mv "$LIBRARIES/python.away" "$LIBRARIES/python"
    suite_teardown
}

# left_out TEXT: a job that asks for thp, numabind and rope runs; it is told once a node why it goes without the first two.
left_out() {
    run user srun -w n1 -n2 --hyperacc=thp,numabind,rope "$PROBE" task
    assert_success
    assert_tasks task 2
    assert_said "warning: numabind is left out, thp sets its variables only: $1"
    assert_line --partial '(node n1)'
    assert_output --partial 'HA_USE_ROPE=1'
    refute_output --partial HA_CPUS
}

# What asks for neither does not look at the library.
not_needed() {
    run user srun --hyperacc=rope "$PROBE" task
    assert_success
    assert_silent
    assert_environment task HA_USE_ROPE=1
}

@test "the node library is missing" {
    rm "$NODE_LIBRARY"
    left_out "$NODE_LIBRARY: No such file"
    not_needed
}

@test "the node library is missing: every node says so, and a batch job runs" {
    rm "$NODE_LIBRARY"
    run user srun -N2 -n4 --hyperacc=numabind "$PROBE" task
    assert_success
    assert_tasks task 4
    assert_said "warning: numabind is left out: $NODE_LIBRARY: No such file or directory (node n1)"
    assert_said "warning: numabind is left out: $NODE_LIBRARY: No such file or directory (node n2)"
    submit missing --hyperacc=thp <<<"'$PROBE' script"
    job missing
    assert_said 'warning: thp sets its variables only'
}

@test "the node library is writable by others" {
    chmod o+w "$NODE_LIBRARY"
    left_out "$NODE_LIBRARY is writable by group or others"
}

@test "the node library belongs to another user" {
    chown "$CLUSTER_USER" "$NODE_LIBRARY"
    left_out "$NODE_LIBRARY belongs to uid"
}

@test "its folder is writable by others" {
    chmod o+w "$LIBRARIES"
    left_out "$LIBRARIES is writable by group or others"
}

@test "its folder belongs to another user" {
    chown "$CLUSTER_USER" "$LIBRARIES"
    left_out "$LIBRARIES belongs to uid"
}

@test "the prefix is writable by the group" {
    chmod g+w "$PREFIX"
    left_out "$PREFIX is writable by group or others"
}

@test "the node library is a text file" {
    printf 'not a library\n' >"$NODE_LIBRARY"
    left_out "$NODE_LIBRARY"
}

@test "prefix= names a folder that is missing" {
    plugstack prefix=/opt/nothing_here
    run user srun --hyperacc=rope,thp "$PROBE" task
    assert_success
    assert_said 'warning: thp sets its variables only: /opt/nothing_here'
    assert_said 'warning: the runtime is left out of PYTHONPATH: /opt/nothing_here'
    assert_output --partial 'HA_USE_ROPE=1'
    refute_output --partial 'PYTHONPATH=/'
}

@test "prefix= names another installation" {
    mkdir -p "$PREFIX/other/lib" && cp -r "$LIBRARIES" "$PREFIX/other/lib/"
    plugstack prefix="$PREFIX/other"
    run user srun --hyperacc=rope "$PROBE" task
    rm -r "$PREFIX/other"
    assert_success
    assert_silent
    assert_environment task HA_USE_ROPE=1 PYTHONPATH="$PREFIX/other/lib/hyperacc/python"
}

@test "the plugin's line names a link to it" {
    ln -s "$PLUGIN" "$PREFIX/spank_link.so"
    plugstack_text "optional $PREFIX/spank_link.so"
    run user srun --hyperacc=rope "$PROBE" task
    rm "$PREFIX/spank_link.so"
    assert_success
    assert_silent
    assert_environment task HA_USE_ROPE=1
}

# Whoever can write there would run code in every job.
@test "the runtime's folder is writable by others, or missing: not in PYTHONPATH" {
    chmod o+w "$LIBRARIES/python"
    runtime_left_out "$LIBRARIES/python is writable by group or others"
    chmod o-w "$LIBRARIES/python"
    mv "$LIBRARIES/python" "$LIBRARIES/python.away"
    runtime_left_out "$LIBRARIES/python: No such file"
}

runtime_left_out() {
    run user srun -w n1 -n2 --hyperacc=rope "$PROBE" task
    assert_success
    assert_tasks task 2
    assert_said "warning: the runtime is left out of PYTHONPATH: $1"
    assert_output --partial 'HA_USE_ROPE=1'
    refute_output --partial ' PYTHONPATH='
    run user srun "$PROBE" task
    assert_success
    assert_silent
}
