#!/usr/bin/env bash
# Checks format, C++ with clang-tidy, shell scripts and Python; reports every finding before it fails.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/lib/log.sh"
. "$here/lib/packages.sh"
. "$here/lib/build.sh"
. "$here/lib/sources.sh"

if [[ ${1-} == -h || ${1-} == --help ]]; then
    cat <<EOF
Usage: ./dev lint [format|tidy|shell|python]...     (all of them by default)
EOF
    exit 0
fi

lint_format() {
    sources_cpp | xargs -0r clang-format --dry-run -Werror --ferror-limit=3
}

# Only what is compiled can be checked, so the dev build is configured first.
lint_tidy() {
    local database
    packages_install build test
    database=$(build_directory dev)
    log_run "$database.configure.log" cmake -S "$PROJECT_ROOT" --preset dev
    jq -r '.[].file' "$database/compile_commands.json" | sort -u |
        xargs -d '\n' -r -P "$(nproc)" -n 1 clang-tidy --quiet --warnings-as-errors='*' -p "$database" 2>/dev/null
}

# A library's variables are used by those who source it, so SC2034 says nothing there; SC2015 and SC2016 name
# idioms that these scripts use on purpose.
lint_shell() {
    local options=(-x -P SCRIPTDIR -e SC2015 -e SC2016)
    sources_shell | grep -zvE '(^|/)lib/|\.bash$' | xargs -0r shellcheck "${options[@]}" &&
        sources_shell | grep -zE '(^|/)lib/|\.bash$' | xargs -0r shellcheck "${options[@]}" -e SC2034
}

# The examples import hyperacc.auto for what the import does.
lint_python() {
    mapfile -d '' -t files < <(sources_python)
    ((${#files[@]})) || return 0
    PYTHONPYCACHEPREFIX=$PROJECT_ROOT/build/lint python3 -m compileall -q "${files[@]}" &&
        flake8 --isolated --per-file-ignores 'examples/*:F401' --max-line-length 110 --extend-ignore E203,W503 "${files[@]}"
}

packages_install lint
cd "$PROJECT_ROOT"
mkdir -p build
checks=("$@")
((${#checks[@]})) || checks=(format tidy shell python)
failed=()
for check in "${checks[@]}"; do
    declare -F "lint_$check" >/dev/null || die "no check '$check'; there are: format tidy shell python"
    log_step "lint: $check"
    "lint_$check" || failed+=("$check")
done
((${#failed[@]} == 0)) || die "lint found something: ${failed[*]}"
