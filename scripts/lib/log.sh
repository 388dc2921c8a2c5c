# shellcheck shell=bash
# What the scripts say: one style for progress, notes and errors. Everything goes to stderr, so that a
# command's own output stays usable in a pipe.

if [[ -t 2 && -z ${NO_COLOR-} ]]; then
    _log_bold=$'\e[1m' _log_red=$'\e[31m' _log_off=$'\e[0m'
else
    _log_bold='' _log_red='' _log_off=''
fi

log_step() { printf '%s==> %s%s\n' "$_log_bold" "$*" "$_log_off" >&2; }
log_note() { printf '    %s\n' "$*" >&2; }
log_error() { printf '%serror:%s %s\n' "$_log_red" "$_log_off" "$*" >&2; }

die() {
    log_error "$@"
    exit 1
}

# log_run LOGFILE COMMAND...: runs a talkative command silently; when it fails, shows the end of what it said.
log_run() {
    local log=$1 status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then
        tail -n 60 "$log" >&2
        log_error "'$*' failed with exit code $status; all of its output is in $log"
    fi
    return "$status"
}
