# shellcheck shell=bats
# A failing callback costs no job: each callback of each context is made to fail, by an error and by a C++ exception,
# in a build of the plugin that does so on demand. `required`: Slurm hides what an `optional` plugin returns.
# Guards that an exception in slurmstepd hung the node, and qiskit-community/spank-plugins#188, where −1 drained it.

load suite

setup_file() {
    cluster_write_plugstack "required $PLUGIN"
    cluster_restart_slurmd # it runs job_prolog and job_epilog only for plugins that it knew when it started
    printf '%-31s %-7s %-5s %-10s %-11s %s\n' fault command exit job nodes lines >>"$OUTCOMES"
}

teardown_file() {
    cluster_write_plugstack "optional $PLUGIN"
    cluster_restart_slurmd
}

# ---- One fault: srun on n1 while the batch job runs on n2, then salloc on n1 -----------------------------------------

# check_fault CALLBACK CONTEXT
check_fault() {
    local kind
    for kind in return throw; do
        fault=$1:$2:$kind
        if [[ $kind == return ]]; then line="$1 failed ($2@): injected failure"; else line="$1 failed ($2@): injected exception"; fi
        plugstack_text "required $PLUGIN_WITH_FAULTS fault=$fault"
        mark_logs n1 n2
        try_sbatch
        try srun -w n1
        mark_logs n1
        try salloc -Q -w n1 srun
        finish_sbatch
    done
}

# try COMMAND…: runs the probe below it and writes the row of the table.
try() {
    run user "$1" --hyperacc=rope "${@:2}" "$PROBE" task
    local ran=none
    [[ $output != *'task:0 ran'* ]] || ran=ran
    settle
    row "$1" "$status" "$ran" "$(lines_of "$output" n1)"
}

try_sbatch() {
    printf '#!/bin/bash\n%s\n' "'$PROBE' script; srun '$PROBE' step" >"$BATS_TEST_TMPDIR/job"
    sbatch_status=0
    cluster_as_user timeout 60 sbatch --parsable -w n2 --output=fault.%j --hyperacc=rope \
        <"$BATS_TEST_TMPDIR/job" >"$BATS_TEST_TMPDIR/id" 2>"$BATS_TEST_TMPDIR/said" || sbatch_status=$?
}

finish_sbatch() {
    local id state=none text
    id=$(<"$BATS_TEST_TMPDIR/id")
    text=$(<"$BATS_TEST_TMPDIR/said")
    if [[ -n $id ]]; then
        state=$(cluster_wait_job "$id")
        text+=$'\n'$(cat "$CLUSTER_DIR/work/fault.$id")
    fi
    settle
    output=$text
    row sbatch "$sbatch_status" "$state" "$(lines_of "$text" n2)"
}

settle() {
    nodes=idle
    cluster_wait_idle 30 || nodes=$(cluster_node_state n1),$(cluster_node_state n2)
    cluster_resume_node
}

# lines_of OUTPUT NODE: how many lines name the callback, as the user sees them and as slurmd's log has them.
lines_of() {
    local user log
    user=$(grep -cF "hyperacc: ${line/@/}" <<<"$1")
    log=$(log_of "$2" | grep -cF "hyperacc: ${line/@/, node $2}")
    printf 'user %s, log %s' "$user" "$log"
}

# row COMMAND EXIT JOB LINES
row() { printf '%-31s %-7s %-5s %-10s %-11s %s\n' "$fault" "$1" "$2" "$3" "$nodes" "$4" | tee -a "$OUTCOMES"; }

# ---- What the issue promises ----------------------------------------------------------------------------------------

# outcome COMMAND "EXIT JOB LINES": the rows of this test for that command say so, for both kinds of fault.
outcome() {
    outcome_of "${fault%:*}:return" "$1" "$2"
    outcome_of "${fault%:*}:throw" "$1" "$2"
}

outcome_of() {
    assert_equal "$1 $2 $(awk -v fault="$1" -v command="$2" '$1 == fault && $2 == command { $1 = $2 = ""; print substr($0, 3) }' "$OUTCOMES")" "$1 $2 $3"
}

@test "init in srun" {
    check_fault init local
    outcome srun "0 ran idle user 1, log 0"
    outcome salloc "0 ran idle user 1, log 0"
    outcome sbatch "0 COMPLETED idle user 1, log 0"
}

# Slurm reports a refused value once more in its own words.
@test "the option callback in srun: a typed value stops it, an inherited one does not" {
    check_fault option local
    outcome srun "255 none idle user 1, log 0"
    outcome salloc "0 ran idle user 1, log 0"
    outcome sbatch "0 COMPLETED idle user 1, log 0"
}

@test "init_post_opt in srun" {
    check_fault init_post_opt local
    outcome srun "0 ran idle user 1, log 0"
    outcome salloc "0 ran idle user 1, log 0"
    outcome sbatch "0 COMPLETED idle user 1, log 0"
}

@test "init in sbatch and salloc" {
    check_fault init allocator
    outcome srun "0 ran idle user 0, log 0"
    outcome salloc "0 ran idle user 1, log 0"
    outcome sbatch "0 COMPLETED idle user 1, log 0"
}

@test "the option callback in sbatch and salloc: nothing is submitted" {
    check_fault option allocator
    outcome srun "0 ran idle user 0, log 0"
    outcome salloc "255 none idle user 1, log 0"
    outcome sbatch "255 none idle user 1, log 0"
}

@test "init_post_opt in sbatch and salloc" {
    check_fault init_post_opt allocator
    outcome srun "0 ran idle user 0, log 0"
    outcome salloc "0 ran idle user 1, log 0"
    outcome sbatch "0 COMPLETED idle user 1, log 0"
}

# On a node the batch script and its step are two processes with a line each.
@test "init on a node" {
    check_fault init remote
    outcome srun "0 ran idle user 0, log 1"
    outcome salloc "0 ran idle user 0, log 1"
    outcome sbatch "0 COMPLETED idle user 0, log 2"
}

@test "the option callback on a node" {
    check_fault option remote
    outcome srun "0 ran idle user 0, log $REMOTE_CALLBACKS"
    outcome salloc "0 ran idle user 0, log $REMOTE_CALLBACKS"
    outcome sbatch "0 COMPLETED idle user 0, log $((REMOTE_CALLBACKS + 1))"
}

@test "init_post_opt on a node" {
    check_fault init_post_opt remote
    outcome srun "0 ran idle user 0, log 1"
    outcome salloc "0 ran idle user 0, log 1"
    outcome sbatch "0 COMPLETED idle user 0, log 2"
}

@test "task_init on a node" {
    check_fault task_init remote
    outcome srun "0 ran idle user 0, log 1"
    outcome salloc "0 ran idle user 0, log 1"
    outcome sbatch "0 COMPLETED idle user 0, log 2"
}

@test "job_prolog" {
    check_fault job_prolog job_script
    outcome srun "0 ran idle user 0, log 1"
    outcome salloc "0 ran idle user 0, log 1"
    outcome sbatch "0 COMPLETED idle user 0, log 1"
}

@test "job_epilog" {
    check_fault job_epilog job_script
    outcome srun "0 ran idle user 0, log 1"
    outcome salloc "0 ran idle user 0, log 1"
    outcome sbatch "0 COMPLETED idle user 0, log 1"
}

@test "init in slurmd: it starts, and jobs run" {
    local kind
    for kind in return throw; do
        fault=init:slurmd:$kind
        plugstack_text "required $PLUGIN_WITH_FAULTS fault=$fault"
        mark_logs n1 n2
        cluster_restart_slurmd
        settle
        row slurmd 0 - "user 0, log $(log_of n1 | grep -cF "hyperacc: init failed (slurmd, node ")"
        outcome_of "$fault" slurmd "0 - idle user 0, log 1"
    done
    check_fault init slurmd
    outcome srun "0 ran idle user 0, log 0"
    outcome salloc "0 ran idle user 0, log 0"
    outcome sbatch "0 COMPLETED idle user 0, log 0"
}
