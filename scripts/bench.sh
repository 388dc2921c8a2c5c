#!/usr/bin/env bash
# Runs a benchmark of bench/ by name.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/log.sh"
. "$here/lib/packages.sh"
. "$here/lib/build.sh"

# bench/NAME, NAME.sh or NAME.py, or bench/NAME/run: the one that is there.
program_of() {
    local file
    for file in "$PROJECT_ROOT/bench/$1" "$PROJECT_ROOT/bench/$1.sh" "$PROJECT_ROOT/bench/$1.py" "$PROJECT_ROOT/bench/$1/run"; do
        if [[ -f $file && -x $file ]]; then
            printf '%s\n' "$file"
            return
        fi
    done
    return 1
}

names() {
    find "$PROJECT_ROOT/bench" -maxdepth 2 -type f -executable -printf "%P\n" 2>/dev/null |
        sed -e 's#/run$##' -e 's#\.\(sh\|py\)$##' | sort
}

case ${1-} in
    '' | -h | --help)
        echo 'Usage: ./dev bench NAME [ARGUMENTS]'
        echo "There are: $(names | tr '\n' ' ')"
        [[ -n ${1-} ]] || exit 2
        exit 0
        ;;
esac

program=$(program_of "$1") || die "there is no benchmark '$1'; there are: $(names | tr '\n' ' ')"
shift
packages_install build slurm
exec "$program" "$@"
