# shellcheck shell=bash
# Debian packages: which ones each command needs, and how they are installed without starting a service.
# Uses log.sh.

# A group is what one kind of work needs, so that the demo need not download compilers for fuzzing.
# -g: a test may read this file inside a function.
declare -gA PACKAGES=(
    [build]='g++ cmake ninja-build ccache pkg-config libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev
        libhwloc-dev libnuma-dev libslurm-dev'
    [slurm]='slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge util-linux passwd procps'
    [demo]='python3 python3-numpy'
    [test]='catch2 librapidcheck-dev bats bats-assert bats-support bats-file python3 python3-venv python3-numpy
        python3-pytest jq strace binutils man-db bash-completion clang libclang-rt-14-dev'
    [lint]='clang-format clang-tidy shellcheck flake8 git jq'
    [versions]='patchelf debian-archive-keyring'
)

# These packages bring services. A machine whose owner did not ask for them must not run them.
PACKAGES_SERVICES='munge slurmctld slurmd'
PACKAGES_POLICY=/usr/sbin/policy-rc.d
PACKAGES_POLICY_MARK='# Written by HyperAcc while it installs packages: no service starts.'

# packages_missing NAME...: those that are not installed, one a line.
packages_missing() {
    local -A installed=()
    local name status
    while read -r status name; do
        [[ $status == ?i ]] && installed[$name]=1
    done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null)
    for name in "$@"; do
        [[ -n ${installed[$name]-} ]] || printf '%s\n' "$name"
    done
}

# packages_install GROUP...: installs what is missing of these groups; says nothing when nothing is.
packages_install() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
        die "this needs Debian 12 or a system like it: there is no apt-get here"
    local group names=() missing=()
    for group in "$@"; do
        [[ -n ${PACKAGES[$group]-} ]] || die "no package group '$group'; there are: ${!PACKAGES[*]}"
        read -r -d '' -a names < <(printf '%s ' "${names[@]}" "${PACKAGES[$group]}"; printf '\0')
    done
    mapfile -t missing < <(packages_missing "${names[@]}" | sort -u)
    ((${#missing[@]})) || return 0
    ((EUID == 0)) || die "these packages are missing and only root can install them: ${missing[*]}"

    log_step "Installing ${#missing[@]} packages: ${missing[*]}"
    local log
    log=$(mktemp /tmp/hyperacc-apt.XXXXXX)
    (
        export DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none NEEDRESTART_SUSPEND=1
        log_run "$log" apt-get update -q -o DPkg::Lock::Timeout=120 &&
            _packages_without_services log_run "$log" apt-get install -q -y --no-install-recommends \
                -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold "${missing[@]}"
    ) || die "could not install the packages"
    rm -f "$log"
    _packages_disable_services "${missing[@]}"
}

# Debian asks policy-rc.d before it starts a service. Where there is none, ours stands for the duration; one that
# already says no is enough; any other is covered in a private mount namespace and so never changed. Runs in a
# subshell, with which its traps end.
_packages_without_services() {
    if [[ -f $PACKAGES_POLICY ]] && grep -qF "$PACKAGES_POLICY_MARK" "$PACKAGES_POLICY"; then
        rm -f "$PACKAGES_POLICY" # left by a run that was killed
    fi
    if [[ ! -e $PACKAGES_POLICY ]]; then
        trap 'rm -f "$PACKAGES_POLICY"' EXIT
        trap 'exit 130' INT TERM HUP
        _packages_policy >"$PACKAGES_POLICY"
        chmod 755 "$PACKAGES_POLICY"
        "$@"
    elif _packages_policy_denies; then
        "$@"
    else
        cover=$(mktemp /tmp/hyperacc-policy.XXXXXX)
        trap 'rm -f "$cover"' EXIT
        trap 'exit 130' INT TERM HUP
        _packages_policy >"$cover"
        chmod 755 "$cover"
        # log_run is a function and its command the rest, so only the command enters the namespace.
        "$1" "$2" unshare --mount bash -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' - \
            "$cover" "$PACKAGES_POLICY" "${@:3}"
    fi
}

_packages_policy() { printf '#!/bin/sh\n%s\nexit 101\n' "$PACKAGES_POLICY_MARK"; }

_packages_policy_denies() {
    local status=0
    "$PACKAGES_POLICY" slurmd start 5 >/dev/null 2>&1 || status=$?
    ((status == 101))
}

# A freshly installed service is also enabled for the next boot; undo that, only for what this run installed.
_packages_disable_services() {
    local name
    command -v systemctl >/dev/null || return 0
    for name in "$@"; do
        [[ " $PACKAGES_SERVICES " == *" $name "* ]] || continue
        systemctl --quiet disable "$name.service" >/dev/null 2>&1 || true
    done
}
