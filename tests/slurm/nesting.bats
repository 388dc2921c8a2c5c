# shellcheck shell=bats
# Steps and jobs inside a job that was given the option. One job runs all the cases; each test looks at one.

load suite

setup_file() {
    cluster_write_plugstack "optional $PLUGIN"
    HA_USE_DROPOUT=1 submit outer -n2 --hyperacc=rope,syncbn,no-dropout <<<"
        probe() { local tag=\$1; shift; srun -n1 \"\$@\" '$PROBE' \$tag; }
        '$PROBE' script
        srun -n2 '$PROBE' inherited
        probe own --hyperacc=voxel
        probe cancelled --hyperacc=none
        probe without_one --hyperacc=no-rope
        probe modified --hyperacc=verify=5,report
        HA_USE_ROPE=0 probe changed
        HA_USE_ROPE=0 probe again --hyperacc=rope,syncbn,no-dropout
        HA_USE_ALL=0 probe all_off
        (unset HA_USE_ROPE && probe unset)
        HA_USE_ROPE=0 probe changed_without --hyperacc=no-syncbn
        srun -n1 --hyperacc=voxel bash -c \"'$PROBE' middle
            srun -n1 --overlap '$PROBE' innermost
            srun -n1 --overlap --hyperacc=rmsnorm '$PROBE' innermost_own
            srun -n1 --overlap --hyperacc=no-voxel '$PROBE' innermost_without\"
        sbatch -Q --output=from_job_plain --wrap=\"'$PROBE' script; srun -n1 '$PROBE' step\"
        sbatch -Q --output=from_job_own --hyperacc=rmsnorm --wrap=\"'$PROBE' script; srun -n1 '$PROBE' step\"
        printf '%s\n' '#!/bin/bash' '#SBATCH --hyperacc=fast_gelu' \"'$PROBE' script; srun -n1 '$PROBE' step\" |
            sbatch -Q --output=from_job_line
        unset HA_USE_DROPOUT
        salloc -Q --hyperacc=rmsnorm srun -n1 '$PROBE' salloc_own
        salloc -Q srun -n1 '$PROBE' salloc_plain"
}

setup() {
    suite_setup
    job outer
}

@test "the script, before any step" {
    assert_silent
    assert_environment script HA_USE_ROPE=1 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0
    assert_passes_on script rope,syncbn,no-dropout
}

# Guards eth-cscs/uenv#148: the inherited option was applied a second time (PYTHONPATH twice).
@test "srun inherits" {
    assert_tasks inherited 2
    assert_environment inherited HA_USE_ROPE=1 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0
    assert_passes_on inherited rope,syncbn,no-dropout
}

# The user's own HA_USE_DROPOUT=1, which the outer option had replaced, counts again.
@test "srun with an option of its own" {
    assert_environment own HA_USE_VOXEL=1 HA_USE_DROPOUT=1
    assert_passes_on own voxel
}

@test "srun cancels with none" {
    assert_environment cancelled "${NONE[@]}"
    assert_passes_on cancelled none
}

@test "no-FEATURE stands on top of the outer option" {
    assert_environment without_one HA_USE_ROPE=0 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0
    assert_passes_on without_one syncbn,no-dropout,no-rope
}

@test "modifiers stand on top of the outer option" {
    assert_environment modified HA_USE_ROPE=1 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0 HA_VERIFY=5 HA_REPORT=1
    assert_passes_on modified rope,syncbn,no-dropout,verify=5,report
}

@test "a variable changed in the script wins over the outer option" {
    assert_environment changed HA_USE_ROPE=0 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0
}

@test "the outer text typed again wins over a variable changed in the script" {
    assert_environment again HA_USE_ROPE=1 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0
}

# Rule 2 of the switches comes before the order of sources: by name beats by master.
@test "HA_USE_ALL=0 in the script does not switch off what the option names" {
    assert_environment all_off HA_USE_ALL=0 HA_USE_ROPE=1 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0
}

@test "a variable unset in the script comes back: unsetting says nothing" {
    assert_environment unset HA_USE_ROPE=1 HA_USE_SYNCBN=1 HA_USE_DROPOUT=0
}

@test "no-FEATURE beside a changed variable" {
    assert_environment changed_without HA_USE_ROPE=0 HA_USE_SYNCBN=0 HA_USE_DROPOUT=0
}

@test "srun inside srun inherits from the step around it" {
    assert_environment middle HA_USE_VOXEL=1 HA_USE_DROPOUT=1
    assert_environment innermost HA_USE_VOXEL=1 HA_USE_DROPOUT=1
    assert_passes_on innermost voxel
}

@test "srun inside srun with an option of its own, and with no-FEATURE" {
    assert_environment innermost_own HA_USE_RMSNORM=1 HA_USE_DROPOUT=1
    assert_environment innermost_without HA_USE_VOXEL=0 HA_USE_DROPOUT=1
    assert_passes_on innermost_without no-voxel
}

# What the plugin set for the outer job is taken back, what it had replaced is there again.
@test "sbatch from inside the job: a new job, without the outer job's option" {
    inner_job from_job_plain
    assert_environment script HA_USE_DROPOUT=1
    assert_environment step HA_USE_DROPOUT=1
    assert_passes_on script ''
}

@test "sbatch from inside the job with an option" {
    inner_job from_job_own
    assert_environment script HA_USE_RMSNORM=1 HA_USE_DROPOUT=1
    assert_environment step HA_USE_RMSNORM=1 HA_USE_DROPOUT=1
    assert_passes_on step rmsnorm
}

# In Slurm itself the outer job's option wins over the script's own line.
@test "sbatch from inside the job with an #SBATCH line" {
    inner_job from_job_line
    assert_environment script HA_USE_FAST_GELU=1 HA_USE_DROPOUT=1
    assert_environment step HA_USE_FAST_GELU=1 HA_USE_DROPOUT=1
    assert_passes_on step fast_gelu
}

@test "salloc from inside the job" {
    assert_environment salloc_own HA_USE_RMSNORM=1
    assert_environment salloc_plain
}

# inner_job NAME: the output of a job that the outer one submitted; the teardown of the test before has waited for it.
inner_job() {
    wait_until 20 test -s "$CLUSTER_DIR/work/$1"
    cluster_wait_idle
    output=$(<"$CLUSTER_DIR/work/$1")
    assert_silent
}
