# shellcheck shell=bats
# Mistakes in plugstack.conf: they cost no job, and stop only a command that uses --hyperacc.

load suite

bad_lines() {
    printf '%s\n' "dney=rope|unknown key 'dney' (did you mean 'deny'?)" \
        "rope|unknown key 'rope'" \
        "deny=|'deny' needs a value" \
        "deny=roep|unknown feature 'roep' (did you mean 'rope'?)" \
        "default=rpoe|unknown word 'rpoe' (did you mean 'rope'?)" \
        "default=help|'help' cannot stand in a default" \
        "default=none|'none' cannot stand in a default" \
        "default=thp=system|'thp=system' cannot stand in a default" \
        "default=rope deny=rope|names 'rope', which this line denies" \
        "prefix=opt|'opt' must be an absolute path" \
        "autoload=maybe|'maybe' must be yes or no" \
        "thp_system=yes|'yes' must be no, exclusive or exclusive:PARTITION" \
        "log=loud|'loud' must be one of error, info, debug" \
        "machine=/tmp|unknown key 'machine'"
}

@test "on the login node: each mistake is named to whoever types --hyperacc, with the keys" {
    local arguments text
    while IFS='|' read -r arguments text; do
        plugstack -w login "$arguments"
        run user srun --hyperacc=rope "$PROBE" task
        ((status != 0)) || fail "'$arguments' was accepted"
        assert_line --partial "plugstack.conf, the line of $PLUGIN: "
        assert_output --partial "$text"
        assert_output --partial 'its keys are'
        refute_output --partial 'task:'
    done < <(bad_lines)
}

@test "on the login node, optional and required: commands without --hyperacc work" {
    local flag
    for flag in optional required; do
        plugstack_text -w login "$flag $PLUGIN dney=rope"
        run user srun "$PROBE" task
        assert_success
        assert_silent
        assert_environment task
        run user salloc -Q srun "$PROBE" task
        assert_success
        assert_silent
        run user sbatch -Q --output=/dev/null --wrap=true
        assert_success
        assert_silent
    done
}

@test "on the login node: sbatch and salloc with --hyperacc submit nothing" {
    local known
    known=$(jobs_known)
    plugstack -w login dney=rope
    run user sbatch --hyperacc=rope --wrap=true
    assert_failure
    assert_output --partial "unknown key 'dney'"
    run user salloc --hyperacc=rope "$PROBE" task
    assert_failure
    assert_output --partial "unknown key 'dney'"
    assert_equal "$(jobs_known)" "$known"
}

# A line that cannot be read may deny less than was meant: nothing is switched on.
@test "on a node, optional and required: the job runs without HyperAcc, one line says so" {
    local flag
    for flag in optional required; do
        mark_logs n1 n2
        plugstack_text -w n2 "$flag $PLUGIN dney=rope"
        run user srun -N2 --ntasks-per-node=2 --hyperacc=rope "$PROBE" task
        assert_success
        assert_tasks task 4
        assert_said "plugstack.conf, the line of $PLUGIN: unknown key 'dney'"
        assert_output --partial 'the job runs without HyperAcc (node n2)'
        assert_equal "$(grep -c ':[0-9]* HA_USE_ROPE=1' <<<"$output")" 2
        assert_logged n2 "plugstack.conf, the line of $PLUGIN: unknown key 'dney'"
        run user srun -w n2 "$PROBE" task
        assert_success
        assert_silent
        assert_environment task
    done
}

@test "on a node: a batch job" {
    plugstack_text -w n1 -w n2 "required $PLUGIN dney=rope"
    submit node --hyperacc=rope <<<"'$PROBE' script"
    job node
    assert_output --partial "unknown key 'dney'"
    refute_output --partial 'HA_USE_ROPE'
}

@test "slurmd starts with a mistake in the line, and says so" {
    plugstack_text -w n1 "required $PLUGIN dney=rope"
    cluster_restart_slurmd n1
    assert_logged n1 "plugstack.conf, the line of $PLUGIN: unknown key 'dney'"
    assert_output_of_node n1
    cluster_write_plugstack "optional $PLUGIN"
    cluster_restart_slurmd n1
}

assert_output_of_node() {
    run user srun -w "$1" "$PROBE" task
    assert_success
    assert_silent
}

# Guards awsome-distributed-ai#1207: everything was done and said twice.
@test "listed twice by one path: the first line counts" {
    plugstack_text "optional $PLUGIN deny=syncbn
optional $PLUGIN default=voxel"
    check_twice
}

@test "listed twice by two paths: the first line counts" {
    cp "$PLUGIN" "${PLUGIN%/*}/spank_hyperacc_copy.so"
    plugstack_text "optional $PLUGIN deny=syncbn
optional ${PLUGIN%/*}/spank_hyperacc_copy.so default=voxel"
    check_twice
    rm "${PLUGIN%/*}/spank_hyperacc_copy.so"
}

check_twice() {
    local known
    run user srun -N2 -n4 --hyperacc=syncbn,rope "$PROBE" task
    assert_success
    assert_said "warning: syncbn is denied"
    assert_tasks task 4
    assert_environment task HA_USE_SYNCBN=0 HA_USE_ROPE=1 HA_DENY=syncbn
    submit twice --hyperacc=rope <<<"'$PROBE' script; srun '$PROBE' step"
    known=$(jobs_known)
    run user srun --hyperacc=rpoe "$PROBE" task
    assert_failure
    assert_said "--hyperacc=rpoe: unknown word 'rpoe'"
    assert_equal "$(jobs_known)" "$known"
    job twice
    assert_silent
    assert_environment script HA_USE_ROPE=1 HA_DENY=syncbn
    assert_environment step HA_USE_ROPE=1 HA_DENY=syncbn
}

@test "the plugin is missing on a node: the job runs without it" {
    plugstack_text -w n1 -w n2 "optional /nonexistent/spank_hyperacc.so"
    run user srun --hyperacc=rope "$PROBE" task
    assert_success
    assert_silent
    assert_tasks task 1
}

@test "comments, an include, and other plugins' lines around it" {
    printf 'optional %s deny=syncbn # as the admin wrote it\n' "$PLUGIN" >"$PREFIX/hyperacc.conf"
    plugstack_text "# site
include $PREFIX/*.conf"
    run user srun --hyperacc=all,no-thp,no-numabind "$PROBE" task
    rm "$PREFIX/hyperacc.conf"
    assert_success
    assert_silent
    assert_environment task HA_USE_ALL=1 HA_USE_THP=0 HA_USE_NUMABIND=0 HA_USE_SYNCBN=0 HA_DENY=syncbn
}
