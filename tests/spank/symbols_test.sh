#!/usr/bin/env bash
# symbols_test.sh PLUGIN...: what the shipped plugin needs and gives, against the lists beside this
# file. A symbol too many is a library too many in every srun.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
export LC_ALL=C
failed=0

complain() {
    echo "$1" >&2
    failed=1
}

names() { sed 's/#.*//; /^ *$/d' "$here/$1" | sort -u; }

for plugin; do
    [[ -f $plugin ]] || { echo "no such file: $plugin" >&2; exit 1; }
    given=$(nm -D --defined-only "$plugin" | awk '{ print $NF }' | sort -u)
    [[ $given == "$(names exported_symbols.txt)" ]] ||
        complain "$plugin exports other symbols than exported_symbols.txt:
$(diff <(names exported_symbols.txt) <(echo "$given") || true)"

    needed=$(nm -D --undefined-only "$plugin" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u)
    slurm=$(grep -E '^(s?spank|slurm)_' <<<"$needed")
    [[ $slurm == "$(names slurm_symbols.txt)" ]] ||
        complain "$plugin needs other symbols of Slurm than slurm_symbols.txt:
$(diff <(names slurm_symbols.txt) <(echo "$slurm") || true)"
    unknown=$(comm -23 <(echo "$needed") <(sort -u <(names slurm_symbols.txt) <(names libc_symbols.txt)))
    [[ -z $unknown ]] || complain "$plugin needs what is not in libc_symbols.txt: $unknown"

    libraries=$(readelf -d "$plugin" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libc\.so\.6|libm\.so\.6|ld-linux.*\.so\.[0-9])$' || true)
    [[ -z $libraries ]] || complain "$plugin is linked with $libraries"
    readelf -d "$plugin" | grep -q 'FLAGS.*NOW' || complain "$plugin is not bound at load time (-z now)"
    ! readelf -d "$plugin" | grep -qE 'RPATH|RUNPATH' || complain "$plugin has a search path of its own"
done
exit $failed
