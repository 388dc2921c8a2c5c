# shellcheck shell=bats
# --hyperacc=help prints the page, exits 0 and submits nothing.

load suite

setup() {
    suite_setup
    known=$(jobs_known)
}

# shows_help COMMAND…
shows_help() {
    run user "$@"
    assert_success
    assert_line --index 0 --regexp '^--hyperacc=ITEM'
    assert_line --regexp '^  rope +hook +dcu '
    assert_line --regexp '^  no-FEATURE|  no-FEATURE '
    refute_output --partial 'task:'
    assert_equal "$(jobs_known)" "$known"
}

@test "srun" {
    shows_help srun --hyperacc=help "$PROBE" task
    shows_help srun -N1 --hyperacc help
}

@test "salloc" {
    shows_help salloc --hyperacc=help "$PROBE" task
}

@test "sbatch with a script, and with --wrap" {
    printf '#!/bin/bash\n%s task\n' "$PROBE" >"$CLUSTER_DIR/work/good.sbatch"
    shows_help sbatch --hyperacc=help good.sbatch
    shows_help sbatch -N1 --hyperacc help --wrap="$PROBE task"
}

# sbatch itself would read the script from stdin first, and wait for ever on a terminal.
@test "sbatch without a script does not wait for one" {
    mkfifo "$BATS_TEST_TMPDIR/silent"
    exec 9<>"$BATS_TEST_TMPDIR/silent"
    run user_in sbatch --hyperacc=help <&9
    exec 9>&-
    assert_success
    assert_line --index 0 --regexp '^--hyperacc=ITEM'
    assert_equal "$(jobs_known)" "$known"
}

@test "help beside other words" {
    shows_help srun --hyperacc=rope,help "$PROBE" task
}

@test "an argument of the program itself is not the option" {
    printf '#!/bin/bash\n%s "$1"\n' "$PROBE" >"$CLUSTER_DIR/work/argument.sbatch"
    run user srun "$PROBE" --hyperacc=help
    assert_success
    assert_line --regexp '^--hyperacc=help:0 ran'
    run user sbatch -Q --output=argument.out argument.sbatch --hyperacc=help
    assert_success
    assert_silent
    assert_equal "$(jobs_known)" $((known + 2))
}

# It would exit 0 and submit nothing: a user's pipeline would wait for a job that does not exist.
@test "an #SBATCH line with help is an error" {
    printf '#!/bin/bash\n#SBATCH --hyperacc=help\n%s task\n' "$PROBE" >"$CLUSTER_DIR/work/help.sbatch"
    run user sbatch help.sbatch
    assert_failure
    assert_said '--hyperacc=help: '
    assert_output --partial 'sbatch --hyperacc=help'
    assert_equal "$(jobs_known)" "$known"
}

@test "help wins over a plugstack line with a mistake" {
    plugstack dney=rope
    shows_help srun --hyperacc=help "$PROBE" task
}

@test "an inherited help does not end an srun" {
    eval "$OPTION_VARIABLE=help" 'run user srun "$PROBE" task'
    assert_success
    assert_tasks task 1
    refute_output --partial HA_USE
}
