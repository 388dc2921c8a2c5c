# shellcheck shell=bash
# What every file of the suite uses. Each test asserts what the user sees (exit code, messages, environment of the
# tasks); the common teardown asserts that no node was drained.
bats_require_minimum_version 1.8.0
bats_load_library bats-support
bats_load_library bats-assert
. "$SUITE/../../scripts/lib/cluster.sh"
cluster_use "$CLUSTER_NAME"

OPTION_VARIABLE=SLURM_SPANK__SLURM_SPANK_OPTION_hyperacc_hyperacc
# What `none` sets: every switch off, by name.
NONE=(HA_USE_{VOXEL,DEFORM_AGG,RASTERIZER,SYNCBN,DROPOUT,FOCAL_LOSS,DEFORM_ATTN,RMSNORM,ROPE,FAST_GELU,GC,NUMABIND,THP}"=0")
# What `all` and `thp` set beside the switch: C libraries read these before any of our code runs.
HUGE_PAGES=(GLIBC_TUNABLES=glibc.malloc.hugetlb=1 THP_MEM_ALLOC_ENABLE=1)

# ---- Slurm versions: everything in which they differ for a user -----------------------------------------------------

# Below 24.05 slurmstepd calls the option back twice in a step of srun: for the launch request and for the environment.
case $SLURM_VERSION in
    22.05) REMOTE_CALLBACKS=2 ;;
    *) REMOTE_CALLBACKS=1 ;;
esac

# In an extern step: 22.05 and 24.11 have a sleeping process, 26.05 has none.
EXTERN_PROCESSES=1
[[ $SLURM_VERSION != 26.05 ]] || EXTERN_PROCESSES=0

# ---- Running things -------------------------------------------------------------------------------------------------

# user COMMAND…: as the unprivileged user. A command that hangs is a failure, not a stuck suite.
user() { cluster_as_user timeout 60 "$@" </dev/null; }

# user_in COMMAND…: the same, with the caller's stdin.
user_in() { cluster_as_user timeout 60 "$@"; }

# plugstack [-w PLACE]… [ARGUMENT]…: the shipped line, with these arguments; the teardown puts the plain one back.
plugstack() {
    local places=()
    while [[ ${1-} == -w ]]; do
        places+=(-w "$2")
        shift 2
    done
    plugstack_text "${places[@]}" "optional $PLUGIN $*"
}

plugstack_text() {
    plugstack_changed=1
    cluster_write_plugstack "$@"
}

# submit NAME [OPTION]…: sends the script on stdin to sbatch as the user. The three calls below name it again.
submit() {
    local name=$1
    shift
    { printf '#!/bin/bash\n' && cat; } >"$BATS_FILE_TMPDIR/$name.sbatch"
    cluster_as_user timeout 60 sbatch --parsable --output="%x.%j" --job-name="$name" "$@" \
        <"$BATS_FILE_TMPDIR/$name.sbatch" >"$BATS_FILE_TMPDIR/$name.id"
}

# job NAME: waits for it and asserts that it succeeded; its output becomes $output and $lines.
job() {
    job_output "$1"
    assert_equal "$job_state" COMPLETED
}

# job_output NAME: the same for one that may fail; sets job_state too.
job_output() {
    local id
    id=$(<"$BATS_FILE_TMPDIR/$1.id")
    job_state=$(cluster_wait_job "$id" | sort -u)
    output=$(cat "$CLUSTER_DIR/work/$1.$id")
    mapfile -t lines <<<"$output"
}

# jobs_known: how many jobs the controller has ever been given (it forgets none during the suite).
jobs_known() { cluster_scontrol -o show jobs | grep -c JobId= || true; }

# ---- Assertions -----------------------------------------------------------------------------------------------------

# assert_environment TAG [NAME=VALUE]…: this probe ran, and each of its tasks has exactly these variables (of two values
# for one name the last counts). Where there are any, PYTHONPATH is expected to be the runtime's folder. Left out: the
# record, what nested steps inherit, and what depends on the machine.
assert_environment() {
    local tag=$1 word task tasks expected actual
    local -A wanted=()
    (($# == 1)) || wanted[PYTHONPATH]=$LIBRARIES/python
    for word in "${@:2}"; do wanted[${word%%=*}]=${word#*=}; done
    expected=$(for word in "${!wanted[@]}"; do printf '%s=%s\n' "$word" "${wanted[$word]}"; done | sort)
    mapfile -t tasks < <(grep -o "^$tag:[a-z0-9]* ran" <<<"$output" | cut -d' ' -f1)
    ((${#tasks[@]})) || fail "the probe '$tag' did not run: $output"
    for task in "${tasks[@]}"; do
        actual=$(sed -n "s/^$task \([A-Z].*=.*\)/\1/p" <<<"$output" |
            grep -vE "^(HA_SPANK_SET|HA_CPUS|HA_MEMS|$OPTION_VARIABLE)=" | sort)
        [[ $actual == "$expected" ]] || fail "$task should have
${expected:-nothing}
and has
${actual:-nothing}
in:
$output"
    done
}

# assert_tasks TAG N: the probe ran in so many tasks.
assert_tasks() { assert_equal "$(grep -c "^$1:[a-z0-9]* ran" <<<"$output")" "$2"; }

# assert_passes_on TAG VALUE: what steps nested in this one inherit; an empty VALUE: nothing.
assert_passes_on() {
    assert_equal "$(sed -n "s/^$1:[a-z0-9]* $OPTION_VARIABLE=//p" <<<"$output" | sort -u)" "$2"
}

# assert_said TEXT: exactly one line of $output is the plugin's and says TEXT (a literal part), whatever Slurm puts in front.
assert_said() {
    local found
    found=$(grep -cF "hyperacc: $1" <<<"$output") || true
    [[ $found == 1 ]] || fail "'$1' should be said once and is said ${found:-0} times in:
$output"
}

# assert_silent: the plugin said nothing.
assert_silent() { refute_output --partial 'hyperacc: '; }

# assert_no_complaint: it may have said where it bound the tasks, and nothing else.
assert_no_complaint() { refute_output --regexp 'error: hyperacc: |hyperacc: (warning|error): '; }

# log_of NODE: what slurmd and its steps wrote since the test began.
log_of() {
    local start=log_start_$1
    tail -c "+$((${!start} + 1))" "$(cluster_slurmd_log "$1")"
}

# assert_logged NODE TEXT: a line of it is the plugin's and says TEXT.
assert_logged() {
    wait_until 5 log_has "$@" || fail "slurmd of $1 should have logged 'hyperacc: $2':
$(log_of "$1")"
}
log_has() { log_of "$1" | grep -qF "hyperacc: $2"; }

# refute_logged NODE [TEXT]
refute_logged() { ! log_has "$1" "${2-}" || fail "slurmd of $1 logged: $(log_of "$1" | grep -F "hyperacc: ${2-}")"; }

# ---- Before and after each test -------------------------------------------------------------------------------------

# mark_logs NODE…: what stands in its log now is old.
mark_logs() {
    local node
    for node in "$@"; do
        printf -v "log_start_$node" %s "$(stat -c %s "$(cluster_slurmd_log "$node")")"
    done
}

# A file with a setup or teardown of its own calls suite_setup and suite_teardown there.
setup() { suite_setup; }

suite_setup() {
    mark_logs n1 n2
    plugstack_changed=''
}

setup_file() { cluster_write_plugstack "optional $PLUGIN"; }

teardown() { suite_teardown; }

suite_teardown() {
    local healthy=0
    cluster_wait_idle 30 || healthy=1
    if [[ -z ${BATS_TEST_COMPLETED-} || $healthy != 0 ]]; then
        printf 'nodes: n1 %s, n2 %s\n' "$(cluster_node_state n1)" "$(cluster_node_state n2)"
        printf '%s\n' '--- slurmctld' "$(tail -n 15 "$CLUSTER_DIR/log/slurmctld.log")" '--- slurmd n1' "$(log_of n1 | tail -n 30)" \
            '--- slurmd n2' "$(log_of n2 | tail -n 30)"
        scancel --user="$CLUSTER_USER" 2>/dev/null || true
        cluster_resume_node
    fi
    [[ -z $plugstack_changed ]] || cluster_write_plugstack "optional $PLUGIN"
    return "$healthy"
}
