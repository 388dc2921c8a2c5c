# shellcheck shell=bats
# The option on each command that takes it, and what the tasks then find.

load suite

@test "srun: every task on every node gets the words as switches" {
    run user srun -N2 -n4 --hyperacc=syncbn,rope "$PROBE" task
    assert_success
    assert_silent
    assert_tasks task 4
    assert_environment task HA_USE_SYNCBN=1 HA_USE_ROPE=1
    assert_passes_on task syncbn,rope
    assert_line --regexp '^task:0 HA_SPANK_SET=.*option:HA_USE_ROPE=1'
}

@test "srun as root" {
    run srun -N2 --chdir=/ --hyperacc=syncbn,rope "$PROBE" task
    assert_success
    assert_silent
    assert_tasks task 2
    assert_environment task HA_USE_SYNCBN=1 HA_USE_ROPE=1
}

@test "srun without the option: untouched" {
    run user srun -N2 "$PROBE" task
    assert_success
    assert_silent
    assert_tasks task 2
    assert_environment task
    assert_passes_on task ''
    refute_output --partial HA_SPANK_SET
    refute_logged n1
}

# Guards iqm and qiskit-community/spank-plugins#133: the variables were missing in the batch script itself.
@test "sbatch: the script and its steps" {
    submit batch -N2 --hyperacc=all <<<"'$PROBE' script; srun '$PROBE' step"
    job batch
    assert_no_complaint
    assert_tasks step 2
    assert_environment script HA_USE_ALL=1 "${HUGE_PAGES[@]}"
    assert_environment step HA_USE_ALL=1 "${HUGE_PAGES[@]}"
    assert_passes_on step all
}

@test "an #SBATCH line, and the command line before it" {
    submit line <<<"#SBATCH --hyperacc=rope
'$PROBE' script; srun '$PROBE' step"
    submit both --hyperacc=voxel <<<"#SBATCH --hyperacc=rope
'$PROBE' script; srun '$PROBE' step"
    job line
    assert_silent
    assert_environment script HA_USE_ROPE=1
    assert_environment step HA_USE_ROPE=1
    job both
    assert_silent
    assert_environment script HA_USE_VOXEL=1
    assert_environment step HA_USE_VOXEL=1
}

@test "salloc: its steps, not the shell on the login node" {
    run user salloc --hyperacc=rope bash -c "'$PROBE' shell; srun '$PROBE' step"
    assert_success
    assert_silent
    assert_environment shell
    assert_environment step HA_USE_ROPE=1
}

@test "--help of srun, sbatch and salloc shows the option" {
    local command
    for command in srun sbatch salloc; do
        run user "$command" --help
        assert_success
        assert_line --regexp '^ +--hyperacc=FEATURE,'
    done
}

@test "case, - and _ do not matter; modes and modifiers have their variables" {
    run user srun --hyperacc=Deform_Attn,GC=Reduce-Frequency,verify=5,REPORT,any_platform,auto "$PROBE" task
    assert_success
    assert_silent
    assert_environment task HA_USE_DEFORM_ATTN=1 HA_USE_GC=1 HA_GC_MODE=reduce_frequency HA_VERIFY=5 HA_REPORT=1 \
        HA_ANY_PLATFORM=1 HA_AUTO=1
}

@test "verbose lowers the log level of the plugin and of the runtime, for this step alone" {
    run user srun --hyperacc=rope,verbose "$PROBE" task
    assert_success
    assert_environment task HA_USE_ROPE=1 HA_LOG_LEVEL=DEBUG
    run user srun --hyperacc=rope "$PROBE" task
    assert_environment task HA_USE_ROPE=1
}

@test "hooks, none, and a feature beside none" {
    run user srun --hyperacc=hooks "$PROBE" task
    assert_success
    assert_environment task HA_USE_ALL_HOOKS=1
    run user srun --hyperacc=none "$PROBE" task
    assert_success
    assert_environment task "${NONE[@]}"
    run user srun --hyperacc=none,rope "$PROBE" task
    assert_success
    assert_environment task "${NONE[@]}" HA_USE_ROPE=1
}

# Guards NERSC/shifter#190: a second callback was added to the first.
@test "the option given twice: the last one counts" {
    run user srun --hyperacc=rope --hyperacc=syncbn "$PROBE" task
    assert_success
    assert_silent
    assert_environment task HA_USE_SYNCBN=1
    assert_passes_on task syncbn
    submit twice --hyperacc=rope --hyperacc=voxel <<<"srun '$PROBE' step"
    job twice
    assert_silent
    assert_environment step HA_USE_VOXEL=1
}

@test "variables that the user exported, with and without an option" {
    HA_USE_ROPE=on run user srun "$PROBE" task
    assert_success
    assert_silent
    assert_environment task HA_USE_ROPE=on
    HA_USE_ROPE=0 HA_USE_GC=0 run user srun --hyperacc=rope "$PROBE" task
    assert_success
    assert_environment task HA_USE_ROPE=1 HA_USE_GC=0
    HA_USE_ROPE=maybe run user srun -N2 -n2 "$PROBE" task
    assert_success
    assert_said "warning: HA_USE_ROPE"
}

@test "what the user had is left in place: PYTHONPATH and GLIBC_TUNABLES" {
    PYTHONPATH=/opt/mine GLIBC_TUNABLES=glibc.malloc.check=1 run user srun --hyperacc=thp "$PROBE" task
    assert_success
    assert_silent
    assert_environment task HA_USE_THP=1 PYTHONPATH="/opt/mine:$LIBRARIES/python" \
        GLIBC_TUNABLES=glibc.malloc.check=1:glibc.malloc.hugetlb=1 THP_MEM_ALLOC_ENABLE=1
}

@test "a value far longer than a line" {
    local value=rope
    while ((${#value} < 5000)); do value+=,syncbn,rope; done
    run user srun --hyperacc="$value" "$PROBE" task
    assert_success
    assert_silent
    assert_environment task HA_USE_ROPE=1 HA_USE_SYNCBN=1
}
