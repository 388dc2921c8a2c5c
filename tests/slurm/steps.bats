# shellcheck shell=bats
# Other kinds of jobs and steps: arrays, heterogeneous jobs, the extern step, the interactive step.

load suite

setup_file() {
    CLUSTER_PROLOG_FLAGS=Alloc,Contain CLUSTER_LAUNCH_PARAMETERS=use_interactive_step \
        CLUSTER_CONF_EXTRA='InteractiveStepOptions="--interactive --preserve-env $SHELL"' \
        CLUSTER_PLUGSTACK="optional $PLUGIN" cluster_start "$CLUSTER_NAME" "$SLURM_VERSION"
}

teardown_file() { cluster_start "$CLUSTER_NAME" "$SLURM_VERSION"; }

@test "an array: each of its tasks" {
    submit array --array=0-2 --output=array.%a --hyperacc=rope <<<"
        '$PROBE' script\$SLURM_ARRAY_TASK_ID; srun '$PROBE' step\$SLURM_ARRAY_TASK_ID"
    assert_equal "$(cluster_wait_job "$(<"$BATS_FILE_TMPDIR/array.id")" | sort | uniq -c | tr -s ' ')" ' 3 COMPLETED'
    output=$(cat "$CLUSTER_DIR"/work/array.[012])
    assert_silent
    local i
    for i in 0 1 2; do
        assert_environment "script$i" HA_USE_ROPE=1
        assert_environment "step$i" HA_USE_ROPE=1
    done
}

@test "het srun: the last value counts for all components" {
    run user srun -n1 --hyperacc=rope "$PROBE" one : -n1 --hyperacc=syncbn "$PROBE" two
    assert_success
    assert_silent
    assert_environment one HA_USE_SYNCBN=1
    assert_environment two HA_USE_SYNCBN=1
}

@test "het sbatch: the first component's option counts for all" {
    submit het --hyperacc=rope <<<"#SBATCH -n1
#SBATCH hetjob
#SBATCH -n1
'$PROBE' script; srun --het-group=0,1 '$PROBE' step"
    job het
    assert_silent
    assert_tasks step 2
    assert_environment script HA_USE_ROPE=1
    assert_environment step HA_USE_ROPE=1
}

@test "het sbatch: the same text in both components" {
    run user sbatch -Q -n1 --hyperacc=rope --output=/dev/null : -n1 --hyperacc=rope --wrap=true
    assert_success
    assert_silent
}

# Slurm gives an option of a later component to no step at all.
@test "het sbatch and salloc: an option of a later component alone is an error" {
    local known
    known=$(jobs_known)
    printf '#!/bin/bash\n#SBATCH -n1\n#SBATCH hetjob\n#SBATCH -n1 --hyperacc=rope\ntrue\n' >"$CLUSTER_DIR/work/later.sbatch"
    run user sbatch later.sbatch
    assert_failure
    assert_said '--hyperacc=rope: in a heterogeneous job the option belongs to the first component'
    run user salloc -n1 : -n1 --hyperacc=rope "$PROBE" task
    assert_failure
    assert_said '--hyperacc=rope: in a heterogeneous job the option belongs to the first component'
    run user sbatch -n1 --hyperacc=syncbn : -n1 --hyperacc=rope --wrap=true
    assert_failure
    assert_said '--hyperacc=rope: in a heterogeneous job the option belongs to the first component'
    assert_equal "$(jobs_known)" "$known"
}

# Slurm runs init, init_post_opt and task_post_fork there, without any option callback.
@test "the extern step gets nothing, even with a cluster default" {
    plugstack default=rope
    submit extern --hyperacc=syncbn <<<"'$PROBE' script; until test -e extern.seen; do sleep 0.1; done"
    local id stepd process
    id=$(<"$BATS_FILE_TMPDIR/extern.id")
    wait_until 20 grep -qs script "$CLUSTER_DIR/work/extern.$id"
    stepd=$(pgrep -f "^slurmstepd: \\[$id\\.extern\\]" | head -n 1)
    output=''
    for process in $(pgrep -P "$stepd"); do
        output+=$(printf '%s\n' "process $process" && tr '\0' '\n' <"/proc/$process/environ")
    done
    touch "$CLUSTER_DIR/work/extern.seen"
    assert_equal "$(grep -c '^process ' <<<"$output")" "$EXTERN_PROCESSES"
    refute_output --regexp 'HA_|PYTHONPATH='
    assert_equal "$(log_of n1 | grep -F "[$id.extern]" | grep -F hyperacc)" ''
    job extern
    assert_environment script HA_USE_SYNCBN=1 HA_USE_ROPE=1
}

@test "the interactive step of salloc, and steps inside it" {
    run user_in salloc -Q --hyperacc=rope <<<"'$PROBE' shell; srun '$PROBE' step; srun --hyperacc=no-rope '$PROBE' without"
    assert_success
    assert_silent
    assert_environment shell HA_USE_ROPE=1
    assert_environment step HA_USE_ROPE=1
    assert_environment without HA_USE_ROPE=0
    assert_passes_on shell rope
}

@test "the interactive step of an salloc inside another job" {
    run user_in salloc -Q --hyperacc=rope <<<"salloc -Q --hyperacc=syncbn <<<\"'$PROBE' own\"; salloc -Q <<<\"'$PROBE' plain\""
    assert_success
    assert_silent
    assert_environment own HA_USE_SYNCBN=1
    assert_environment plain
}
