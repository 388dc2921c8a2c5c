# shellcheck shell=bash
# A private two-node Slurm on this machine. Everything of it is in one directory, CLUSTER_DIR; the machine's own
# Slurm, its configuration, its ports and its munge are never touched. README.md describes the interface.

_cluster_lib=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$_cluster_lib/log.sh"
. "$_cluster_lib/packages.sh"
. "$_cluster_lib/processes.sh"
. "$_cluster_lib/slurm_versions.sh"
. "$_cluster_lib/cluster_config.sh"
. "$_cluster_lib/cluster_daemons.sh"
. "$_cluster_lib/cluster_jobs.sh"
. "$_cluster_lib/cluster_owner.sh"

# Not below /tmp: the plugin refuses libraries under a folder that others may write to.
HYPERACC_RUN_DIR=${HYPERACC_RUN_DIR:-/var/lib/hyperacc-dev}

# cluster_use NAME: points all functions, SLURM_CONF and PATH at the cluster of that name.
cluster_use() {
    cluster_name "$1"
    [[ -r $CLUSTER_DIR/env.sh ]] || die "there is no cluster '$1' in $HYPERACC_RUN_DIR"
    # shellcheck source=/dev/null
    . "$CLUSTER_DIR/env.sh"
}

# cluster_name NAME: sets CLUSTER_NAME and CLUSTER_DIR, whether there is such a cluster or not.
cluster_name() {
    [[ $1 =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || die "a cluster's name is letters, digits, '.', '_' and '-', not '$1'"
    CLUSTER_NAME=$1
    CLUSTER_DIR=$HYPERACC_RUN_DIR/$1
}

cluster_running() { process_alive "$CLUSTER_DIR/run/slurmctld.pid" slurmctld >/dev/null; }

# cluster_start NAME [VERSION]: a fresh cluster with the CLUSTER_* parameters. One of this name that still runs is
# stopped first, unless another process owns it. Returns when both nodes are idle.
cluster_start() {
    ((EUID == 0)) || die "only root can start a cluster: its daemons run steps as other users"
    slurm_use "${2-}"
    cluster_defaults
    cluster_stop "$1"
    mkdir -p "$CLUSTER_DIR"
    cluster_own
    rm -rf "${CLUSTER_DIR:?}"/{bin,conf,log,munge,run,spool,state,work,env.sh}
    mkdir -p "$CLUSTER_DIR"/{bin,conf,log,munge,run,spool/n1,spool/n2,state,work}
    # The umask may be narrow; jobs of any user read from here.
    chmod 755 "$HYPERACC_RUN_DIR" "$CLUSTER_DIR" "$CLUSTER_DIR"/{bin,conf,log,munge,run,spool,spool/*,state}
    chown "$CLUSTER_USER": "$CLUSTER_DIR/work"
    cluster_as_user test -w "$CLUSTER_DIR/work" || die "the user '$CLUSTER_USER' cannot get to $CLUSTER_DIR/work; set HYPERACC_RUN_DIR to a folder below which all may read"
    _cluster_link_commands
    _cluster_write_env
    cluster_write_config
    cluster_start_munged
    cluster_start_slurmctld
    cluster_start_slurmd n1
    cluster_start_slurmd n2
    cluster_wait_idle 20 || die "the nodes do not come up; see $CLUSTER_DIR/log"
    # shellcheck source=/dev/null
    . "$CLUSTER_DIR/env.sh"
}

# cluster_stop NAME: ends all its processes; configuration and logs stay to be read.
cluster_stop() {
    cluster_name "$1"
    [[ -d $CLUSTER_DIR ]] || return 0
    cluster_check_owner
    cluster_stop_daemons
    rm -rf "${CLUSTER_DIR:?}"/{bin,munge,run}
}

# One folder to put first on PATH, whichever version it is.
_cluster_link_commands() {
    local name
    for name in "${SLURM_COMMANDS[@]}"; do
        [[ ! -x $SLURM_BIN/$name ]] || ln -s "$SLURM_BIN/$name" "$CLUSTER_DIR/bin/$name"
    done
}

_cluster_write_env() {
    local name
    {
        printf '# Source this to use the cluster.\n'
        for name in CLUSTER_NAME CLUSTER_DIR HYPERACC_RUN_DIR SLURM_VERSION SLURM_BIN SLURM_SBIN SLURM_STEPD \
            SLURM_PLUGIN_DIR SLURM_INCLUDE_DIR SLURM_CGROUP_CONF; do
            printf '%s=%q\n' "$name" "${!name}"
        done
        # shellcheck disable=SC2016 # expanded where the file is read
        printf '%s\n' 'export SLURM_CONF=$CLUSTER_DIR/conf/login/slurm.conf' \
            'case $PATH in "$CLUSTER_DIR/bin:"*) ;; *) export PATH=$CLUSTER_DIR/bin:$PATH ;; esac'
    } >"$CLUSTER_DIR/env.sh"
    chmod 644 "$CLUSTER_DIR/env.sh"
}
