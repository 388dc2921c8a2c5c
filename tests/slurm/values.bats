# shellcheck shell=bats
# Bad values: the command stops before anything is submitted, and its message names the word. Values that nobody typed
# on this command never stop it.

load suite

setup() {
    suite_setup
    known=$(jobs_known)
}

# refuses VALUE TEXT COMMAND…: the command stops, says TEXT and submits nothing.
refuses() {
    local value=$1 text=$2
    run user "${@:3}"
    ((status != 0)) || fail "'$value' was accepted: $output"
    assert_said "--hyperacc=$value: $text"
    refute_output --partial 'task:'
}

submitted_nothing() { assert_equal "$(jobs_known)" "$known"; }

@test "srun: every kind of bad value" {
    local value text
    while IFS='|' read -r value text; do
        refuses "$value" "$text" srun --hyperacc="$value" "$PROBE" task
    done <<'END'
rpoe|unknown word 'rpoe' (did you mean 'rope'?)
zzzzzz|unknown word 'zzzzzz'; --hyperacc=help lists the words
|the value is empty
rope,,syncbn|an item is empty
rope,|an item is empty
rope,no-rope|'rope' and 'no-rope' contradict each other
none,all|'none' and 'all' contradict each other
thp=task,thp=off|'thp=task' and 'thp=off' are two modes of one feature
verify=2,verify=3|'verify=2' and 'verify=3'
thp=taks|unknown mode 'taks' of thp (did you mean 'task'?)
thp=|unknown mode '' of thp
numabind=node+bnid|unknown memory policy 'bnid' of numabind (did you mean 'bind'?)
rope=fast|'rope' has no modes
all=1|'all' takes no value
no-rope=1|'no-rope' takes no mode
auto=1|'auto' takes no value
verify=0|'verify=0': the number of calls to compare
verify=many|'verify=many': the number of calls to compare
no-all|unknown word 'no-all'
rope syncbn|unknown word 'rope syncbn'
END
    submitted_nothing
}

@test "sbatch, with a script, and with --wrap" {
    printf '#!/bin/bash\n%s task\n' "$PROBE" >"$CLUSTER_DIR/work/good.sbatch"
    refuses rope,,gc "an item is empty" sbatch --hyperacc=rope,,gc good.sbatch
    refuses rpoe "unknown word 'rpoe' (did you mean 'rope'?)" sbatch --hyperacc=rpoe --wrap="$PROBE task"
    submitted_nothing
}

@test "sbatch: an #SBATCH line" {
    printf '#!/bin/bash\n#SBATCH --hyperacc=rope,no-rope\n%s task\n' "$PROBE" >"$CLUSTER_DIR/work/bad.sbatch"
    refuses rope,no-rope "'rope' and 'no-rope' contradict each other" sbatch bad.sbatch
    submitted_nothing
}

@test "salloc" {
    refuses rpoe "unknown word 'rpoe' (did you mean 'rope'?)" salloc --hyperacc=rpoe "$PROBE" task
    submitted_nothing
}

@test "a bad value before a good one is still an error" {
    refuses rpoe "unknown word 'rpoe'" srun --hyperacc=rpoe --hyperacc=rope "$PROBE" task
    submitted_nothing
}

@test "the option without a value" {
    run user srun --hyperacc
    assert_failure
    submitted_nothing
}

@test "a step inside a job: only that step stops" {
    run user salloc -Q --hyperacc=syncbn bash -c "srun --hyperacc=rpoe '$PROBE' bad || echo stopped; srun '$PROBE' next"
    assert_success
    assert_said "--hyperacc=rpoe: unknown word 'rpoe' (did you mean 'rope'?)"
    assert_line stopped
    assert_environment next HA_USE_SYNCBN=1
}

# As after an upgrade of the login node alone. Slurm itself lets the callback's −1 kill every srun in the job.
@test "inherited: an unknown word, help and a contradiction are one warning each, the known words apply" {
    local value
    for value in rope,quantum,syncbn rope,help,syncbn rope,syncbn,no-rope; do
        eval "$OPTION_VARIABLE=\$value" 'run user srun -N2 -n4 "$PROBE" task'
        assert_success
        assert_tasks task 4
        assert_environment task HA_USE_ROPE=1 HA_USE_SYNCBN=1
        assert_said 'warning: --hyperacc: '
        assert_passes_on task rope,syncbn
    done
}

@test "inherited: a typed value rescues a bad one" {
    eval "$OPTION_VARIABLE=quantum" 'run user srun --hyperacc=rope "$PROBE" task'
    assert_success
    assert_silent
    assert_environment task HA_USE_ROPE=1
}

@test "inherited: a typed bad value stops all the same" {
    eval "$OPTION_VARIABLE=rope" 'run user srun --hyperacc=rpoe "$PROBE" task'
    assert_failure
    assert_said "--hyperacc=rpoe: unknown word 'rpoe'"
    submitted_nothing
}

# As a node whose plugin is older than the login node's sees a word that the login node accepted.
@test "a hand-set option variable bypasses the login side: the node drops what it does not know" {
    _SLURM_SPANK_OPTION_hyperacc_hyperacc=rope,quantum run user srun -N2 "$PROBE" task
    assert_success
    assert_tasks task 2
    assert_said "warning: --hyperacc: ignored: unknown word 'quantum'"
    assert_environment task HA_USE_ROPE=1
}

@test "a hand-set option variable in a batch job" {
    _SLURM_SPANK_OPTION_hyperacc_hyperacc=rope,quantum submit bypass <<<"'$PROBE' script; srun '$PROBE' step"
    job bypass
    assert_line --regexp '^script:0 ran'
    assert_line --regexp '^step:0 ran'
}

@test "a hand-set help on a node is ignored" {
    _SLURM_SPANK_OPTION_hyperacc_hyperacc=help run user srun "$PROBE" task
    assert_success
    assert_said "warning: --hyperacc: ignored: 'help'"
    assert_tasks task 1
    refute_output --partial HA_USE
}
