# shellcheck shell=bash
# The project's own files of each kind, NUL-separated: tracked ones and those that git would track.

_sources() { git -C "$PROJECT_ROOT" ls-files -z --cached --others --exclude-standard --deduplicate -- "$@" | _sources_present; }

# A file that is deleted but not yet committed is still listed.
_sources_present() {
    local file
    while IFS= read -r -d '' file; do
        [[ ! -f $PROJECT_ROOT/$file ]] || printf '%s\0' "$file"
    done
}

sources_cpp() { _sources '*.c' '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh'; }
sources_shell() { _sources dev .ci/run 'scripts/*.sh' '*.sh' '*.sbatch' '*.bash' '*.bats'; }
sources_python() { _sources '*.py'; }
