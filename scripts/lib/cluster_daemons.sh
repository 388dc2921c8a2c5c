# shellcheck shell=bash
# The daemons of a private cluster: munged, slurmctld and one slurmd a node, each with its pid file in run/.

# Daemons start with an environment of their own: what the caller has exported must not reach a step.
_cluster_daemon() {
    local conf=$1
    shift
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        SLURM_CONF="$conf" \
        setsid "$@" </dev/null >>"$CLUSTER_DIR/log/start.log" 2>&1 3>&- 4>&- 5>&-
}

_cluster_fail() {
    tail -n 20 "$CLUSTER_DIR/log/start.log" "$CLUSTER_DIR/log/$2" >&2 2>/dev/null || true
    die "$1 did not start; its log is $CLUSTER_DIR/log/$2"
}

cluster_start_munged() {
    local dir=$CLUSTER_DIR/munge
    mkdir -p "$dir/key"
    chmod 755 "$dir"
    chmod 700 "$dir/key"
    (umask 077 && head -c 128 /dev/urandom >"$dir/key/munge.key")
    _cluster_daemon '' munged --num-threads=2 --key-file="$dir/key/munge.key" --socket="$dir/socket" \
        --pid-file="$CLUSTER_DIR/run/munged.pid" --seed-file="$dir/key/seed" --log-file="$CLUSTER_DIR/log/munged.log" &&
        wait_until 10 test -S "$dir/socket" || _cluster_fail munged munged.log
}

cluster_start_slurmctld() {
    local conf=$CLUSTER_DIR/conf/login/slurm.conf
    _cluster_daemon "$conf" "$SLURM_SBIN/slurmctld" -f "$conf" &&
        wait_until 20 _cluster_listens "$(_cluster_port SlurmctldPort)" || _cluster_fail slurmctld slurmctld.log
}

cluster_start_slurmd() {
    local node=$1 conf=$CLUSTER_DIR/conf/$1/slurm.conf
    _cluster_node_view
    _cluster_daemon "$conf" "${CLUSTER_NODE_VIEW[@]}" "$SLURM_SBIN/slurmd" -f "$conf" -N "$node" -d "$SLURM_STEPD" &&
        wait_until 20 _cluster_listens "$(_cluster_port "$node")" || _cluster_fail "slurmd of $node" "slurmd.$node.log"
}

# What a node sees is the machine, but for two things, in a mount namespace that ends with slurmd and its steps: the
# unprivileged user has a home and a login shell (sbatch --export=NONE asks for one), and Slurm's commands in
# /usr/bin, which a script without our PATH finds, are those of the version in use.
_cluster_node_view() {
    local user=$CLUSTER_USER name mounts=()
    CLUSTER_NODE_VIEW=()
    unshare --mount true 2>/dev/null || return 0 # a container that may not: the rest works without
    awk -F: -v OFS=: -v user="$user" -v home="$CLUSTER_DIR/work" '$1 == user { $6 = home; $7 = "/bin/bash" } 1' \
        /etc/passwd >"$CLUSTER_DIR/conf/passwd"
    chmod 644 "$CLUSTER_DIR/conf/passwd"
    mounts=("$CLUSTER_DIR/conf/passwd" /etc/passwd)
    if [[ $SLURM_BIN != /usr/bin ]]; then
        for name in "${SLURM_COMMANDS[@]}"; do
            [[ ! -x /usr/bin/$name || ! -x $SLURM_BIN/$name ]] || mounts+=("$SLURM_BIN/$name" "/usr/bin/$name")
        done
    fi
    CLUSTER_NODE_VIEW=(unshare --mount --propagation slave bash -euc
        'n=$1; shift; for ((; n; n--)); do mount --bind "$1" "$2"; shift 2; done; exec "$@"' - "$((${#mounts[@]} / 2))" "${mounts[@]}")
}

_cluster_port() {
    local conf=$CLUSTER_DIR/conf/login/slurm.conf
    sed -n -e "s/^$1=\([0-9]*\)$/\1/p" -e "s/^NodeName=$1 .* Port=\([0-9]*\) .*/\1/p" "$conf"
}

_cluster_listens() {
    local hex
    hex=$(printf '%04X' "$1")
    awk -v port=":$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }' \
        /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# cluster_restart_slurmd [NODE...]: both nodes by default. Steps that run go on; the node answers again afterwards.
cluster_restart_slurmd() {
    local nodes=("$@") node pid pids=()
    ((${#nodes[@]})) || nodes=("${CLUSTER_NODES[@]}")
    # A slurmd that leaves while the controller waits for the end of a job would make it wait a minute more.
    wait_until 10 _cluster_none_completing "${nodes[@]}" || true
    for node in "${nodes[@]}"; do
        pid=$(process_alive "$CLUSTER_DIR/run/slurmd.$node.pid" slurmd) && pids+=("$pid")
    done
    process_stop 10 "${pids[@]}"
    for node in "${nodes[@]}"; do
        cluster_start_slurmd "$node"
    done
    _cluster_wait_answers "${nodes[@]}"
}

# cluster_reconfigure: after a change of slurm.conf in all places.
cluster_reconfigure() {
    cluster_scontrol reconfigure && _cluster_wait_answers "${CLUSTER_NODES[@]}"
}

_cluster_wait_answers() {
    local node
    for node in "$@"; do
        wait_until 20 _cluster_node_answers "$node" || die "node $node does not answer: $(cluster_node_state "$node")"
    done
}

_cluster_none_completing() {
    local jobs
    jobs=$(SLURM_CONF=$CLUSTER_DIR/conf/login/slurm.conf "$SLURM_BIN/squeue" -h -t CG -w "$(IFS=, && echo "$*")" 2>/dev/null)
    [[ -z $jobs ]]
}

_cluster_node_answers() {
    local state
    state=$(cluster_node_state "$1" 2>/dev/null) || return 1
    [[ -n $state && $state != *[*~#%]* && $state != unk* && $state != down* ]]
}

# cluster_stop_daemons: everything that belongs to the cluster in CLUSTER_DIR, gently first.
cluster_stop_daemons() {
    local pid pids=() name
    # The controller goes first: it would otherwise write down each node that leaves.
    for name in slurmctld slurmd.n1 slurmd.n2; do
        pid=$(process_alive "$CLUSTER_DIR/run/$name.pid" slurm) && pids+=("$pid")
    done
    process_stop 5 "${pids[@]}"
    # What remains: steps, their tasks, waiting commands, munged.
    mapfile -t pids < <(processes_of_cluster "$CLUSTER_DIR")
    process_stop 3 "${pids[@]}"
    mapfile -t pids < <(processes_of_cluster "$CLUSTER_DIR")
    process_stop 1 "${pids[@]}"
}
