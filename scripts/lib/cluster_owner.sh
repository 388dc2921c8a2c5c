# shellcheck shell=bash
# Who a private cluster belongs to, so that two runs of one name do not stop each other's, and how a script that
# owns one stops it whatever happens. A cluster without an owner stays up until it is stopped by name.

# cluster_own: makes this process the owner, unless one of its ancestors is.
cluster_own() {
    cluster_check_owner
    [[ ! -e $CLUSTER_DIR/owner ]] || return 0
    # noclobber: of two that start at the same moment, one loses.
    (set -C && printf '%s %s\n' "$$" "$(process_started $$)" >"$CLUSTER_DIR/owner") 2>/dev/null ||
        die "the cluster '$CLUSTER_NAME' is being started by another process"
}

# cluster_disown NAME: it stays up when this process ends.
cluster_disown() { rm -f "$HYPERACC_RUN_DIR/$1/owner"; }

# cluster_check_owner: an error if the owner lives and is not among our ancestors; a dead owner is forgotten.
cluster_check_owner() {
    local pid started
    [[ -r $CLUSTER_DIR/owner ]] && read -r pid started <"$CLUSTER_DIR/owner" || return 0
    if [[ $(process_started "$pid") != "$started" ]]; then
        rm -f "$CLUSTER_DIR/owner"
    elif [[ $'\n'$(process_ancestors)$'\n' != *$'\n'"$pid"$'\n'* ]]; then
        die "the cluster '$CLUSTER_NAME' belongs to process $pid, which still runs; choose another --name"
    fi
}

# cluster_guard NAME: from now on the script stops this cluster when it ends, is interrupted or fails. Call it
# before cluster_start, and run long commands with cluster_run: bash handles no signal while one is in front.
cluster_guard() {
    _cluster_guarded=$1
    _cluster_command=''
    # shellcheck disable=SC2064 # the name of now
    trap _cluster_guard_exit EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap 'exit 129' HUP
}

_cluster_guard_exit() {
    local status=$?
    trap '' INT TERM HUP # stopping takes a moment and must not be cut short
    trap - EXIT
    if [[ -n $_cluster_command ]]; then
        local pids=()
        mapfile -t pids < <(process_tree "$_cluster_command")
        process_stop 2 "${pids[@]}"
    fi
    (cluster_stop "$_cluster_guarded" && cluster_disown "$_cluster_guarded") || true
    exit "$status"
}

# cluster_run COMMAND...: like the command, but a signal to the script ends it at once.
cluster_run() {
    local status=0
    # Bash lets background commands ignore SIGINT; this one must not.
    (
        trap - INT QUIT TERM HUP EXIT
        exec "$@"
    ) <&0 &
    _cluster_command=$!
    wait "$_cluster_command" || status=$?
    _cluster_command=''
    return "$status"
}
