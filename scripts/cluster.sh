#!/usr/bin/env bash
# A private two-node Slurm on this machine, kept up until it is stopped, or around one command.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/cluster.sh"
. "$here/lib/build.sh"

usage() {
    cat <<EOF
Usage: ./dev cluster start  [--name N] [--slurm V] [--prefix P | --bare]
       ./dev cluster shell  [--name N] [--user] [COMMAND...]
       ./dev cluster status [--name N]
       ./dev cluster stop   [--name N]
       ./dev cluster run    [--name N] [--slurm V] [--prefix P] -- COMMAND...

start  builds HyperAcc, installs it beside the cluster and starts the cluster with the plugin; --prefix takes an
       installed tree instead, --bare starts without the plugin.
shell  opens a shell (or runs COMMAND) that uses the cluster, as root or with --user as an unprivileged user.
run    starts a cluster, runs COMMAND with it, and stops it whatever happens.

--name N    a name, so that several can run (default: default)
--slurm V   Slurm version: the machine's own, 24.11 (Debian trixie) or 26.05 (Debian sid), which are unpacked, not installed

Everything is below HYPERACC_RUN_DIR (now $HYPERACC_RUN_DIR); delete that folder to remove all traces.
The CLUSTER_* variables in scripts/lib/README.md set slurm.conf.
EOF
}

command=${1-}
(($# == 0)) || shift
name=default version='' prefix='' bare='' user=''
while (($#)); do
    case $1 in
        --name | --slurm | --prefix)
            (($# > 1)) || die "$1 needs a value"
            case $1 in
                --name) name=$2 ;;
                --slurm) version=$2 ;;
                --prefix) prefix=$(realpath -- "$2") ;;
            esac
            shift
            ;;
        --bare) bare=1 ;;
        --user) user=1 ;;
        -h | --help) usage && exit 0 ;;
        --) shift && break ;;
        -*) die "unknown option $1; './dev cluster --help' lists them" ;;
        *) break ;;
    esac
    shift
done

# The plugin's line is the default text of plugstack.conf; a caller who sets CLUSTER_PLUGSTACK means it.
use_prefix() {
    export HYPERACC_PREFIX=$1
    [[ -n ${CLUSTER_PLUGSTACK+set} ]] || CLUSTER_PLUGSTACK="optional $(build_plugin "$1")"
}

start() {
    packages_install slurm
    if [[ -z $prefix && -z $bare ]]; then
        packages_install build
        slurm_use "$version"
        build_preset release
        prefix=$HYPERACC_RUN_DIR/$name/prefix
        mkdir -p "${prefix%/*}"
        build_install release "$prefix"
    fi
    [[ -z $prefix ]] || use_prefix "$prefix"
    cluster_start "$name" "$version"
    cluster_disown "$name"
    log_step "Slurm $SLURM_VERSION is up: './dev cluster shell --name $name' uses it, './dev cluster stop --name $name' ends it"
    log_note "configuration, logs and work directory are in $CLUSTER_DIR"
}

run() {
    (($#)) || die "run needs a command after --"
    packages_install slurm
    [[ -z $prefix ]] || use_prefix "$prefix"
    cluster_guard "$name"
    cluster_start "$name" "$version"
    export CLUSTER_NAME CLUSTER_DIR HYPERACC_RUN_DIR SLURM_VERSION SLURM_INCLUDE_DIR
    cluster_run "$@"
}

shell() {
    cluster_use "$name"
    cluster_running || die "the cluster '$name' is not running; './dev cluster start --name $name' starts it"
    export CLUSTER_NAME CLUSTER_DIR
    local words=("$@")
    ((${#words[@]})) || words=(bash --norc)
    export PS1="($name) \\w\\\$ "
    if [[ -n $user ]]; then
        cluster_as_user "${words[@]}"
    else
        exec "${words[@]}"
    fi
}

status() {
    local word=running
    cluster_name "$name"
    if ! cluster_running; then
        printf "The cluster '%s' is not running.\n" "$name"
        exit 3
    fi
    cluster_use "$name"
    cat <<EOF
The cluster '$name' is $word: Slurm $SLURM_VERSION, in $CLUSTER_DIR
plugstack.conf: $(cat "$CLUSTER_DIR/conf/login/plugstack.conf")
EOF
    "$SLURM_BIN/sinfo" -N -o '%N %T %c CPUs %E'
    "$SLURM_BIN/squeue"
}

case $command in
    start) start ;;
    run) run "$@" ;;
    shell) shell "$@" ;;
    status) status ;;
    stop)
        cluster_stop "$name"
        log_step "The cluster '$name' is stopped"
        ;;
    -h | --help | help) usage ;;
    *)
        [[ -z $command ]] || log_error "unknown command '$command'"
        usage >&2
        exit 2
        ;;
esac
