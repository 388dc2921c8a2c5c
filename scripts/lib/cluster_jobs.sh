# shellcheck shell=bash
# Asking a private cluster: nodes, jobs, logs, and commands as an unprivileged user.

# A user that every Debian has, so that no account is created. sbatch wants one with a passwd entry.
CLUSTER_USER=${CLUSTER_USER-nobody}

cluster_scontrol() { SLURM_CONF=$CLUSTER_DIR/conf/login/slurm.conf "$SLURM_BIN/scontrol" "$@"; }

# cluster_node_state NODE: as sinfo writes it: idle, mixed, allocated, drained, drained*, down …
cluster_node_state() {
    SLURM_CONF=$CLUSTER_DIR/conf/login/slurm.conf "$SLURM_BIN/sinfo" -h -N -n "$1" -o %T
}

# cluster_wait_idle [SECONDS]: until both nodes are idle again, after the last job.
cluster_wait_idle() { wait_until "${1-20}" _cluster_all_idle; }

_cluster_all_idle() {
    local state
    state=$(SLURM_CONF=$CLUSTER_DIR/conf/login/slurm.conf "$SLURM_BIN/sinfo" -h -N -o %T 2>/dev/null) || return 1
    [[ $state == $'idle\nidle' ]]
}

# cluster_resume_node [NODE...]: takes nodes out of drain or down.
cluster_resume_node() {
    local nodes=("$@") node
    ((${#nodes[@]})) || nodes=("${CLUSTER_NODES[@]}")
    for node in "${nodes[@]}"; do
        case $(cluster_node_state "$node") in
            drain* | down* | fail*) cluster_scontrol update NodeName="$node" State=RESUME || return 1 ;;
        esac
    done
}

# cluster_slurmd_log NODE: the path of its log; steps on that node write there as well.
cluster_slurmd_log() { printf '%s/log/slurmd.%s.log\n' "$CLUSTER_DIR" "$1"; }

# cluster_wait_job ID [SECONDS]: until the job (of an array: all of it) has ended and its files are written; prints
# its final state (of an array: one a line).
cluster_wait_job() {
    wait_until "${2-60}" _cluster_job_ended "$1" || {
        log_error "job $1 has not ended: $(_cluster_job_states "$1" | tr '\n' ' ')"
        return 1
    }
    _cluster_job_states "$1"
}

_cluster_job_states() { cluster_scontrol -o show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\) .*/\1/p'; }

_cluster_job_ended() {
    local states
    states=$(_cluster_job_states "$1")
    [[ -n $states ]] && ! grep -qE '^(PENDING|CONFIGURING|RUNNING|COMPLETING|SUSPENDED|REQUEUED)' <<<"$states"
}

# cluster_as_user COMMAND...: as the unprivileged user, in its work directory unless CLUSTER_USER_DIR says another.
# The environment is the caller's but for what names a person.
cluster_as_user() {
    local uid gid
    uid=$(id -u "$CLUSTER_USER") && gid=$(id -g "$CLUSTER_USER") || return 1
    (
        cd "${CLUSTER_USER_DIR-$CLUSTER_DIR/work}" &&
            exec setpriv --reuid="$uid" --regid="$gid" --clear-groups --inh-caps=-all \
                env -u OLDPWD HOME="$CLUSTER_DIR/work" USER="$CLUSTER_USER" LOGNAME="$CLUSTER_USER" SHELL=/bin/bash "$@"
    )
}
