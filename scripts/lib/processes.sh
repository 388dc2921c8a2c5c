# shellcheck shell=bash
# Processes and ports: who is alive, who belongs to a cluster, what is free.

# process_alive PIDFILE NAME: prints the pid if that process runs and is a NAME (pids get used again).
process_alive() {
    local pid comm
    [[ -r $1 ]] && read -r pid <"$1" && [[ $pid =~ ^[0-9]+$ ]] || return 1
    read -r comm 2>/dev/null <"/proc/$pid/comm" || return 1
    [[ $comm == "$2"* ]] || return 1
    printf '%s\n' "$pid"
}

# process_started PID: its start time, which together with the pid names one process for ever.
process_started() {
    local stat=()
    read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
    read -r -a stat <<<"${stat##*) }" # the name in parentheses may hold spaces
    printf '%s\n' "${stat[19]}"
}

# wait_until SECONDS COMMAND...: polls until the command succeeds; fails when the time is over.
wait_until() {
    local deadline=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
    shift
    until "$@"; do
        ((${EPOCHREALTIME/[.,]/} < deadline)) || return 1
        sleep 0.05
    done
}

# process_stop SECONDS PID...: asks them to end, waits, then kills.
process_stop() {
    local seconds=$1
    shift
    (($#)) || return 0
    kill -TERM "$@" 2>/dev/null || true
    wait_until "$seconds" _process_all_gone "$@" && return 0
    kill -KILL "$@" 2>/dev/null || true
    wait_until 5 _process_all_gone "$@"
}

# A zombie counts as gone: its parent may never collect it.
_process_all_gone() {
    local pid state
    for pid in "$@"; do
        state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$pid/status" 2>/dev/null) || continue
        [[ -z $state || $state == Z ]] || return 1
    done
}

# process_ancestors: the pids of this shell, its parent and so on, one a line.
process_ancestors() {
    local pid=$BASHPID
    while [[ -n $pid && $pid != 0 ]]; do
        printf '%s\n' "$pid"
        pid=$(_process_parent "$pid")
    done
}

_process_parent() { sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null || true; }

# process_tree PID: that process and all its descendants.
process_tree() {
    local pid children=()
    printf '%s\n' "$1"
    read -r -d '' -a children < <(cat "/proc/$1/task"/*/children 2>/dev/null) || true
    for pid in "${children[@]}"; do
        process_tree "$pid"
    done
}

# processes_of_cluster DIR: pids of all that a cluster in DIR started. Daemons name DIR on their command line;
# slurmstepd rewrites its own, and with it its environment, but has its log open there. Jobs and Slurm's commands
# have a SLURM_CONF below DIR. The caller and its ancestors (a `cluster shell`, a test runner) never count.
processes_of_cluster() {
    local dir=$1 pid
    local -A ancestors=()
    while read -r pid; do
        ancestors[$pid]=1
    done < <(process_ancestors)
    for pid in /proc/[0-9]*; do
        pid=${pid#/proc/}
        [[ -z ${ancestors[$pid]-} ]] || continue
        ! _process_of_cluster "$dir" "$pid" || printf '%s\n' "$pid"
    done
}

_process_of_cluster() {
    local dir=$1 pid=$2 name
    name=$(readlink "/proc/$pid/exe" 2>/dev/null) || return 1 # a kernel thread, a zombie, or gone
    name=${name##*/}
    case $name in
        munged* | slurmctld* | slurmd* | slurmstepd*)
            grep -qzF -e "$dir/" "/proc/$pid/cmdline" 2>/dev/null ||
                [[ $(readlink "/proc/$pid/cwd" /proc/"$pid"/fd/* 2>/dev/null) == *"$dir/"* ]]
            return
            ;;
    esac
    grep -qzF -e "SLURM_CONF=$dir/" "/proc/$pid/environ" 2>/dev/null || return 1
    case $name in
        srun | salloc | sbatch | scancel | squeue | scontrol | sinfo) ;;
        *) grep -qz -e '^SLURM_JOB_ID=' "/proc/$pid/environ" 2>/dev/null ;;
    esac
}

# ports_free COUNT: that many TCP ports on which nothing listens and from which the kernel takes none itself.
ports_free() {
    local count=$1 port low _ 
    local -A used=()
    while read -r port; do
        used[$((16#$port))]=1
    done < <(awk 'FNR > 1 { n = split($2, a, ":"); print a[n] }' /proc/net/tcp /proc/net/tcp6 2>/dev/null)
    read -r low _ </proc/sys/net/ipv4/ip_local_port_range
    # A random start keeps two clusters that start at the same moment apart.
    ((low > 11000)) || low=32768
    port=$((10000 + RANDOM % (low - 11000)))
    while ((count > 0)); do
        ((port < 65500)) || die "found no free TCP port"
        if [[ -z ${used[$port]-} ]]; then
            printf '%s\n' "$port"
            count=$((count - 1))
        fi
        port=$((port + 1))
    done
}
