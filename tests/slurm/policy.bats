# shellcheck shell=bats
# The admin's words on the plugin's line: default=, allow=, deny=, autoload=, pythonpath=.

load suite

@test "default=: for whoever says nothing" {
    plugstack default=rope,syncbn
    run user srun -N2 "$PROBE" task
    assert_success
    assert_silent
    assert_tasks task 2
    assert_environment task HA_USE_ROPE=1 HA_USE_SYNCBN=1
    assert_line --regexp '^task:0 HA_SPANK_SET=.*default:HA_USE_ROPE=1'
    assert_passes_on task ''
}

@test "default=: a batch job, its steps, and who cancels it in the script" {
    plugstack default=rope,thp
    submit default <<<"'$PROBE' script
        srun '$PROBE' step
        srun --hyperacc=none '$PROBE' none
        srun --hyperacc=no-rope '$PROBE' without
        HA_USE_ALL=0 srun '$PROBE' all_off
        HA_USE_ROPE=0 srun '$PROBE' rope_off"
    job default
    assert_silent
    assert_environment script HA_USE_ROPE=1 HA_USE_THP=1 "${HUGE_PAGES[@]}"
    assert_environment step HA_USE_ROPE=1 HA_USE_THP=1 "${HUGE_PAGES[@]}"
    assert_environment none "${NONE[@]}"
    assert_environment without HA_USE_ROPE=0 HA_USE_THP=1 "${HUGE_PAGES[@]}"
    assert_environment all_off HA_USE_ALL=0 PYTHONPATH="$LIBRARIES/python"
    assert_environment rope_off HA_USE_ROPE=0 HA_USE_THP=1 "${HUGE_PAGES[@]}"
}

@test "default= counts beside an option, for what that does not name" {
    plugstack default=rope,gc=disable
    run user srun --hyperacc=syncbn "$PROBE" task
    assert_success
    assert_environment task HA_USE_SYNCBN=1 HA_USE_ROPE=1 HA_USE_GC=1 HA_GC_MODE=disable
    run user srun --hyperacc=none,syncbn "$PROBE" task
    assert_success
    assert_environment task "${NONE[@]}" HA_USE_SYNCBN=1
}

@test "deny=: asked by name, one warning; the job runs" {
    plugstack deny=syncbn
    run user srun -N2 -n4 --hyperacc=syncbn,rope "$PROBE" task
    assert_success
    assert_said "warning: syncbn is denied by this cluster's policy"
    assert_tasks task 4
    assert_environment task HA_USE_SYNCBN=0 HA_USE_ROPE=1 HA_DENY=syncbn
}

@test "deny=: asked through all or hooks, silent" {
    plugstack deny=syncbn,thp
    run user srun --hyperacc=all "$PROBE" task
    assert_success
    assert_no_complaint
    assert_environment task HA_USE_ALL=1 HA_USE_SYNCBN=0 HA_USE_THP=0 HA_DENY=syncbn,thp
    run user srun --hyperacc=hooks "$PROBE" task
    assert_success
    assert_silent
    assert_environment task HA_USE_ALL_HOOKS=1 HA_USE_SYNCBN=0 HA_DENY=syncbn,thp
}

@test "allow=: all else is denied; deny= wins over it" {
    plugstack allow=rope,gc,syncbn deny=syncbn
    run user srun --hyperacc=rope,syncbn,voxel,gc "$PROBE" task
    assert_success
    assert_said "warning: syncbn is denied"
    assert_said "warning: voxel is denied"
    assert_environment task HA_USE_ROPE=1 HA_USE_GC=1 HA_USE_SYNCBN=0 HA_USE_VOXEL=0 \
        HA_DENY=voxel,deform_agg,rasterizer,syncbn,dropout,focal_loss,deform_attn,rmsnorm,fast_gelu,numabind,thp
}

@test "deny= by the user's own variable, and in a job that asks nothing" {
    plugstack deny=syncbn
    HA_USE_SYNCBN=1 run user srun "$PROBE" task
    assert_success
    assert_said "warning: syncbn is denied"
    assert_environment task HA_USE_SYNCBN=0 HA_DENY=syncbn
    run user srun "$PROBE" task
    assert_success
    assert_silent
    assert_environment task
}

@test "deny=any-platform" {
    plugstack deny=any-platform
    run user srun --hyperacc=rope,any-platform "$PROBE" task
    assert_success
    assert_said "warning: any-platform is denied"
    assert_environment task HA_USE_ROPE=1 HA_ANY_PLATFORM=0 HA_DENY=any-platform
}

# The local check is on the user's side; the policy is not.
@test "a hand-set option variable does not go around deny=" {
    plugstack deny=syncbn
    _SLURM_SPANK_OPTION_hyperacc_hyperacc=syncbn,rope run user srun "$PROBE" task
    assert_success
    assert_said "warning: syncbn is denied"
    assert_environment task HA_USE_SYNCBN=0 HA_USE_ROPE=1 HA_DENY=syncbn
}

@test "the login side's line does not decide: the node's does" {
    plugstack -w login default=voxel
    plugstack -w n1 -w n2 deny=syncbn
    run user srun --hyperacc=syncbn "$PROBE" task
    assert_success
    assert_said "warning: syncbn is denied"
    assert_environment task HA_USE_SYNCBN=0 HA_DENY=syncbn
}

@test "autoload=yes: HA_AUTO in every step with a feature on" {
    plugstack autoload=yes
    run user srun --hyperacc=rope "$PROBE" task
    assert_success
    assert_environment task HA_USE_ROPE=1 HA_AUTO=1
    HA_AUTO=0 run user srun --hyperacc=rope "$PROBE" task
    assert_success
    assert_environment task HA_USE_ROPE=1 HA_AUTO=0
    run user srun "$PROBE" task
    assert_success
    assert_environment task
}

@test "pythonpath=always and never" {
    plugstack pythonpath=always
    run user srun "$PROBE" task
    assert_success
    assert_environment task PYTHONPATH="$LIBRARIES/python"
    plugstack pythonpath=never
    run user srun --hyperacc=rope "$PROBE" task
    assert_success
    refute_output --partial PYTHONPATH
    assert_line "task:0 HA_USE_ROPE=1"
}

# An admin must not fill users' output with what they never asked for.
@test "what the default alone asked is said in the log, not to the user" {
    mv "$LIBRARIES/libhyperacc_node.so" "$LIBRARIES/away.so"
    plugstack default=thp
    run user srun -w n2 "$PROBE" task
    mv "$LIBRARIES/away.so" "$LIBRARIES/libhyperacc_node.so"
    assert_success
    assert_silent
    assert_logged n2 'warning: thp sets its variables only'
}
