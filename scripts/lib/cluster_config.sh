# shellcheck shell=bash
# The files of a private cluster: one configuration directory for the login side and one for each node, alike
# but for plugstack.conf. What a caller may choose are the CLUSTER_* variables below; README.md lists them.

CLUSTER_PLACES=(login n1 n2)
CLUSTER_NODES=(n1 n2)

# cluster_defaults: sets each parameter that the caller did not.
cluster_defaults() {
    : "${CLUSTER_TASK_PLUGIN=task/none}"
    : "${CLUSTER_CPUS=}" # empty: 8 pretended CPUs a node without binding, else the machine's own
    : "${CLUSTER_MEMORY=4096}"
    : "${CLUSTER_PROLOG_FLAGS=}"
    : "${CLUSTER_LAUNCH_PARAMETERS=}"
    : "${CLUSTER_DEF_MEM_PER_CPU=}"
    : "${CLUSTER_GRES_CONF=}"
    : "${CLUSTER_CGROUP_CONF=}" # empty: none is used
    : "${CLUSTER_NODE_EXTRA=}"
    : "${CLUSTER_CONF_EXTRA=}"
    : "${CLUSTER_PLUGSTACK=}"
    : "${CLUSTER_SLURMD_DEBUG=info}"
}

# Pretended CPUs cannot be bound: the plugins that bind ask the machine for each of them.
_cluster_cpus() {
    if [[ -n $CLUSTER_CPUS ]]; then
        printf 'CPUs=%s Boards=1 SocketsPerBoard=1 CoresPerSocket=%s ThreadsPerCore=1\n' "$CLUSTER_CPUS" "$CLUSTER_CPUS"
    elif [[ $CLUSTER_TASK_PLUGIN == task/none ]]; then
        printf 'CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=1\n'
    else
        "$SLURM_SBIN/slurmd" -C | sed -n 's/^NodeName=[^ ]* \(.*\) RealMemory=.*/\1/p'
    fi
}

# _cluster_setting KEY VALUE: a line of slurm.conf, none for an empty value.
_cluster_setting() { [[ -z $2 ]] || printf '%s=%s\n' "$1" "$2"; }

# _cluster_slurm_conf PLACE CTLD_PORT N1_PORT N2_PORT
_cluster_slurm_conf() {
    local place=$1 dir=$CLUSTER_DIR cpus
    cpus=$(_cluster_cpus)
    cat <<EOF
ClusterName=hyperacc
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$2
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge/socket
PluginDir=$SLURM_PLUGIN_DIR
PlugStackConfig=$dir/conf/$place/plugstack.conf
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
SlurmctldDebug=info
SlurmdDebug=$CLUSTER_SLURMD_DEBUG
DebugFlags=NO_CONF_HASH
ProctrackType=proctrack/linuxproc
TaskPlugin=$CLUSTER_TASK_PLUGIN
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=1,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=0
KillWait=2
UnkillableStepTimeout=60
SlurmdTimeout=300
MinJobAge=3600
EOF
    _cluster_setting PrologFlags "$CLUSTER_PROLOG_FLAGS"
    _cluster_setting LaunchParameters "$CLUSTER_LAUNCH_PARAMETERS"
    _cluster_setting DefMemPerCPU "$CLUSTER_DEF_MEM_PER_CPU"
    [[ -z $CLUSTER_CONF_EXTRA ]] || printf '%s\n' "$CLUSTER_CONF_EXTRA"
    printf 'NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%s %s RealMemory=%s %s\n' \
        "$3" "$cpus" "$CLUSTER_MEMORY" "$CLUSTER_NODE_EXTRA"
    printf 'NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=%s %s RealMemory=%s %s\n' \
        "$4" "$cpus" "$CLUSTER_MEMORY" "$CLUSTER_NODE_EXTRA"
    printf 'PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n'
}

# cluster_write_config: everything below conf/, on new ports.
cluster_write_config() {
    local ports=() place
    mapfile -t ports < <(ports_free 3)
    for place in "${CLUSTER_PLACES[@]}"; do
        mkdir -p "$CLUSTER_DIR/conf/$place"
        _cluster_slurm_conf "$place" "${ports[@]}" >"$CLUSTER_DIR/conf/$place/slurm.conf"
        printf '%s\n' "${CLUSTER_CGROUP_CONF:-$SLURM_CGROUP_CONF}" >"$CLUSTER_DIR/conf/$place/cgroup.conf"
        [[ -z $CLUSTER_GRES_CONF ]] || printf '%s\n' "$CLUSTER_GRES_CONF" >"$CLUSTER_DIR/conf/$place/gres.conf"
    done
    cluster_write_plugstack "$CLUSTER_PLUGSTACK"
    chmod -R u=rwX,go=rX "$CLUSTER_DIR/conf" # whatever the umask is: every user's commands read it
}

# cluster_write_plugstack [-w PLACE]... TEXT: replaces plugstack.conf in these places (login, n1, n2), by default
# in all. Commands and steps read it at each launch; slurmd itself, for job prolog and epilog, when it starts.
cluster_write_plugstack() {
    local places=() place file
    while [[ ${1-} == -w ]]; do
        places+=("$2")
        shift 2
    done
    ((${#places[@]})) || places=("${CLUSTER_PLACES[@]}")
    for place in "${places[@]}"; do
        file=$CLUSTER_DIR/conf/$place/plugstack.conf
        [[ -d ${file%/*} ]] || die "no such place in the cluster: $place"
        printf '%s\n' "${1-}" >"$file.new"
        chmod 644 "$file.new"
        mv "$file.new" "$file" # a launch at this moment must not see half of it
    done
}
