# shellcheck shell=bats
# --export keeps a user's variables away from a job; what the option asks for must arrive all the same.
# Guards SchedMD's bugs 17019 and 19625: the option itself was lost under --export.

load suite

setup_file() {
    cluster_write_plugstack "optional $PLUGIN"
    local script="export HA_USE_ROPE=0
        '$PROBE' script
        srun -n1 '$PROBE' step
        srun -n1 --export=NONE '$PROBE' step_none
        srun -n1 --export=MINE=1 '$PROBE' step_var
        srun -n1 --export=HA_USE_ROPE=0 '$PROBE' step_changed
        srun -n1 --export=HA_USE_ROPE=0 --hyperacc=rope,syncbn '$PROBE' step_again
        srun -n1 --export=NONE --hyperacc=no-syncbn '$PROBE' step_without"
    submit none --export=NONE --hyperacc=rope,syncbn <<<"${script#*$'\n'}"
    submit var --export=MINE=1 --hyperacc=rope,syncbn <<<"${script#*$'\n'}"
    HA_USE_VOXEL=1 submit all --hyperacc=rope,syncbn <<<"$script"
    HA_USE_VOXEL=1 submit unasked --export=NONE <<<"'$PROBE' script"
}

@test "srun --export=NONE" {
    HA_USE_VOXEL=1 run user srun -N2 --export=NONE --hyperacc=rope "$PROBE" task
    assert_success
    assert_silent
    assert_tasks task 2
    assert_environment task HA_USE_ROPE=1
}

@test "srun --export=VAR" {
    HA_USE_VOXEL=1 HA_USE_DROPOUT=1 run user srun -N2 --export=HA_USE_VOXEL --hyperacc=rope "$PROBE" task
    assert_success
    assert_silent
    assert_tasks task 2
    assert_environment task HA_USE_ROPE=1 HA_USE_VOXEL=1
}

# check_job NAME: what the jobs submitted under --export=NONE and --export=VAR have in common.
check_job() {
    job "$1"
    assert_silent
    assert_environment script HA_USE_ROPE=1 HA_USE_SYNCBN=1
    assert_environment step HA_USE_ROPE=1 HA_USE_SYNCBN=1
    check_steps
}

check_steps() {
    assert_environment step_none HA_USE_ROPE=1 HA_USE_SYNCBN=1
    assert_passes_on step_none rope,syncbn
    assert_environment step_var HA_USE_ROPE=1 HA_USE_SYNCBN=1
    assert_environment step_changed HA_USE_ROPE=0 HA_USE_SYNCBN=1
    assert_environment step_again HA_USE_ROPE=1 HA_USE_SYNCBN=1
    assert_environment step_without HA_USE_ROPE=1 HA_USE_SYNCBN=0
    assert_passes_on step_without rope,no-syncbn
}

@test "sbatch --export=NONE: script and steps" {
    check_job none
}

@test "sbatch --export=VAR: script and steps" {
    check_job var
}

@test "--export on the steps of an ordinary job" {
    job all
    assert_silent
    assert_environment step HA_USE_ROPE=0 HA_USE_SYNCBN=1 HA_USE_VOXEL=1
    check_steps
}

@test "sbatch --export=NONE without an option: nothing" {
    job unasked
    assert_silent
    assert_environment script
}
