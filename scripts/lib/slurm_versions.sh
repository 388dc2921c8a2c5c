# shellcheck shell=bash
# Where a Slurm's programs are: the machine's own, or another Debian release's. The latter is unpacked below
# HYPERACC_RUN_DIR, never installed, and runs with its own C library and loader, so no chroot is needed and every
# user can call it. Uses log.sh, packages.sh.

# Which Debian release serves which version.
declare -gA SLURM_SUITES=([24.11]=trixie [26.05]=sid)
SLURM_PACKAGES=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins libslurm-dev)
SLURM_COMMANDS=(srun sbatch salloc squeue sinfo scontrol scancel sattach sbcast scrontab sstat)

# slurm_use [VERSION]: sets SLURM_VERSION (major.minor), SLURM_BIN, SLURM_SBIN, SLURM_PLUGIN_DIR, SLURM_STEPD,
# SLURM_INCLUDE_DIR and SLURM_CGROUP_CONF. An empty VERSION is the machine's own.
slurm_use() {
    local wanted=${1-} own='' dir
    [[ ! -x /usr/sbin/slurmd ]] || own=$(slurm_version_of_package slurmd)
    if [[ -z $wanted || $wanted == "$own" ]]; then
        [[ -n $own ]] || die "Slurm is not installed; './dev setup slurm' installs it"
        _slurm_use_machine "$own"
        return
    fi
    [[ -n ${SLURM_SUITES[$wanted]-} ]] ||
        die "no Slurm $wanted here; there are: $(printf '%s\n' ${own:+"$own"} "${!SLURM_SUITES[@]}" | sort -u | paste -sd' ')"
    dir=$HYPERACC_RUN_DIR/slurm-$wanted
    [[ -e $dir/include/slurm/spank.h ]] || _slurm_unpack "$wanted" "${SLURM_SUITES[$wanted]}" "$dir"
    SLURM_VERSION=$wanted
    SLURM_BIN=$dir/bin SLURM_SBIN=$dir/sbin SLURM_STEPD=$dir/sbin/slurmstepd
    SLURM_PLUGIN_DIR=$dir/lib/slurm-wlm
    SLURM_INCLUDE_DIR=$dir/include
    SLURM_CGROUP_CONF='CgroupPlugin=disabled'
}

_slurm_use_machine() {
    SLURM_VERSION=$1
    SLURM_BIN=/usr/bin SLURM_SBIN=/usr/sbin SLURM_STEPD=/usr/sbin/slurmstepd
    SLURM_PLUGIN_DIR=$(dirname "$(dpkg-query -L slurm-wlm-basic-plugins | grep -m1 '/auth_munge\.so$')")
    SLURM_INCLUDE_DIR=/usr/include
    SLURM_CGROUP_CONF='CgroupPlugin=disabled'
    # 22.05 loads a cgroup plugin even where nothing uses it; this one asks nothing of the machine when loaded.
    [[ $1 != 22.05 ]] || SLURM_CGROUP_CONF='CgroupPlugin=cgroup/v1'
}

slurm_version_of_package() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null | sed -n 's/^\([0-9]*\.[0-9]*\).*/\1/p'; }

# _slurm_unpack VERSION SUITE DIR: fills DIR with bin, sbin, lib and include of that Debian release's Slurm.
_slurm_unpack() (
    version=$1 suite=$2 dir=$3
    log_step "Unpacking Slurm $version of Debian $suite (not installed) into $dir"
    packages_install slurm versions
    mkdir -p "$HYPERACC_RUN_DIR"
    work=$(mktemp -d "$HYPERACC_RUN_DIR/unpack.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    _slurm_download "$suite" "$work"
    served=$(dpkg-deb -f "$work"/cache/archives/slurmd_*.deb Version)
    [[ $served == "$version".* ]] ||
        die "Debian $suite serves Slurm $served now, not $version; SLURM_SUITES in scripts/lib/slurm_versions.sh names the release"
    for package in "$work"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/root" --no-same-permissions
    done
    _slurm_gather "$work/root" "$dir" "$work/new"
    rm -rf "$dir"
    mv "$work/new" "$dir"
)

# _slurm_download SUITE WORK: the packages and all that they need, with apt state of their own: to apt it is an
# empty machine of that release. Mirror and proxy are those of this machine.
_slurm_download() {
    local suite=$1 work=$2 mirror codename
    codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}")
    mirror=$(apt-get indextargets --no-release-info --format '$(RELEASE)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' |
        sed -n "s/^$codename|main|//p" | head -n 1)
    mkdir -p "$work"/{lists/partial,cache/archives/partial,root,new}
    : >"$work/status"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
        "${mirror:-http://deb.debian.org/debian}" "$suite" >"$work/sources.list"
    local options=(-q -o Dir::State="$work" -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status"
        -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
        -o APT::Install-Recommends=false -o APT::Sandbox::User=root)
    log_run "$work/apt.log" apt-get "${options[@]}" update &&
        log_run "$work/apt.log" apt-get "${options[@]}" -y --download-only install "${SLURM_PACKAGES[@]}" ||
        die "could not download Slurm of Debian $suite"
}

# _slurm_gather ROOT DIR NEW: copies into NEW what Slurm needs, made to run from DIR: each program names the loader
# and the libraries that came with it. DT_RPATH rather than RUNPATH, since it also counts for what libraries load.
_slurm_gather() {
    local root=$1 dir=$2 new=$3 plugins lib program loader
    plugins=$(find "$root" -type d -name slurm-wlm -path '*/lib/*' | head -n 1)
    lib=${plugins%/*}
    mkdir -p "$new"/{bin,sbin,lib,include}
    find "$lib" -maxdepth 1 -name '*.so*' -exec cp -P {} "$new/lib/" \;
    cp -r "$plugins" "$new/lib/slurm-wlm"
    rm -f "$new"/lib/slurm-wlm/mpi_pmix*.so # they look for a library that is not unpacked, and complain each time
    cp -r "$root/usr/include/slurm" "$new/include/"
    for program in slurmctld slurmd slurmstepd; do
        cp "$root/usr/sbin/$program-wlm" "$new/sbin/$program"
    done
    for program in "${SLURM_COMMANDS[@]}"; do
        cp "$root/usr/bin/$program" "$new/bin/$program"
    done
    loader=$(patchelf --print-interpreter "$new/bin/srun")
    [[ -e $new/lib/${loader##*/} ]] || die "the loader ${loader##*/} is not among the unpacked libraries"
    for program in "$new"/bin/* "$new"/sbin/*; do
        patchelf --set-interpreter "$dir/lib/${loader##*/}" --force-rpath --set-rpath "$dir/lib:$dir/lib/slurm-wlm" "$program"
    done
    chmod -R u+rwX,go+rX,go-w "$new"
}
