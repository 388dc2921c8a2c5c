#!/usr/bin/env bash
# A page that shows HyperAcc at work: a two-node Slurm on this machine, a job with --hyperacc=all, and the other
# ways to ask. Progress goes to stderr, the page to stdout. Everything stops at the end.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/cluster.sh"
. "$here/lib/build.sh"

if (($#)); then
    echo 'Usage: ./dev demo     (as root; installs the Debian packages that are missing, builds, shows, stops everything)'
    [[ $1 == -h || $1 == --help ]] || exit 2
    exit 0
fi

# What the caller exported, perhaps in a job of another Slurm, is not part of the page.
unset "${!HA_@}" "${!SLURM_@}" "${!SBATCH_@}" "${!SALLOC_@}"

title() { printf '\n%s\n%s\n' "$1" "${1//?/${2--}}"; }

# The prose is written here at one width, in lines of its own.
say() { printf '%s\n' "$@"; }

# try COMMAND: shows it as typed by the user, and what it prints. A failure is shown, not a reason to stop.
try() {
    local status=0
    printf '\n  $ %s\n' "$1"
    cluster_as_user bash -c "$1" </dev/null 2>&1 | sed "s/^/  /" || status=$?
    ((status == 0)) || printf '  (exit code %s)\n' "$status"
}

# The job's output is the point of the page, so a job that fails ends it.
submit() {
    local answer id state
    printf '\n  $ %s\n' "$1"
    answer=$(cluster_as_user bash -c "$1" </dev/null 2>&1) || die "$answer"
    printf '  %s\n' "$answer"
    id=${answer##* }
    state=$(cluster_wait_job "$id" 120) || die "job $id does not end; see $CLUSTER_DIR/log"
    try "cat slurm-$id.out"
    [[ $state == COMPLETED ]] || die "job $id ended as $state"
}

packages_install build slurm demo
slurm_use
name=demo
prefix=$HYPERACC_RUN_DIR/$name/prefix
cluster_guard "$name"
build_preset release
mkdir -p "${prefix%/*}"
build_install release "$prefix"
plugin=$(build_plugin "$prefix")

log_step "Starting a private two-node Slurm"
CLUSTER_PLUGSTACK="optional $plugin" cluster_start "$name"
cp "$PROJECT_ROOT"/examples/train.* "$CLUSTER_DIR/work/"
chown "$CLUSTER_USER": "$CLUSTER_DIR"/work/*
export PATH=$prefix/bin:$PATH

title 'HyperAcc: one option from sbatch to every task' '='
say "A Slurm $SLURM_VERSION with the nodes n1 and n2 runs on this machine, apart from any other Slurm on it." \
    "Its plugstack.conf has one line:" "" "  optional $plugin" "" \
    "All that follows is typed by the unprivileged user '$CLUSTER_USER'."

title '1. A job that asks for everything'
say "train.sbatch is an ordinary batch script with one more line: #SBATCH --hyperacc=all" \
    "Its first step prints what became of each feature in each task, its second one trains a small network."
submit 'sbatch train.sbatch'
say "" "This machine's accelerator decides what can be on. What does not fit is skipped, with the reason, and the job runs."

title '2. One step, two features'
say "A feature is a variable in the environment of each task; here of four tasks on two nodes."
try "srun -N2 -n4 --label --hyperacc=syncbn,rope env | grep ' HA_USE' | sort"

title '3. A default for the whole cluster'
say "The admin adds default=syncbn to the line in plugstack.conf. Steps that ask for nothing get it:"
cluster_write_plugstack "optional $plugin default=syncbn"
try "srun -N2 --label env | grep ' HA_USE' | sort"
say "" "and a user who does not want it says so. Each feature is then off by name, whatever else is set:"
try "srun --hyperacc=none env | grep ^HA_USE | sort"

title '4. A mistake'
say "Nothing is submitted, and the message names the word and the nearest one that exists."
try "srun --hyperacc=syncbn,rop python3 train.py"

printf '\n'
log_step "Stopping the private Slurm"
