#!/usr/bin/env bash
# Records this machine into a folder that `hyperacc … --machine FOLDER` and the tests read: only the
# files that HyperAcc looks at, device nodes as empty files, serial numbers and UUIDs replaced.
#
#   scripts/record_machine.sh tests/machines/my_node
#
# Needs no root. Look through the result before you publish it.
set -euo pipefail

die() {
  printf 'record_machine: %s\n' "$*" >&2
  exit 1
}

[[ $# -eq 1 ]] || die "usage: record_machine.sh FOLDER (a new one)"
[[ ! -e $1 ]] || die "$1 exists already"
mkdir -p "$1"
target=$(cd "$1" && pwd)

# copy PATH: one regular file; what cannot be read is left out, as it is for HyperAcc.
copy() {
  [[ -f $1 && -r $1 ]] || return 0
  mkdir -p "$target$(dirname "$1")"
  cat "$1" >"$target$1" 2>/dev/null || rm -f "$target$1"
}

# copy_link PATH: the link itself, which in the recording leads to the recorded device.
copy_link() {
  [[ -L $1 ]] || return 0
  mkdir -p "$target$(dirname "$1")"
  ln -sfn "$(readlink "$1")" "$target$1"
}

# mark PATH: something whose being there is all that counts.
mark() {
  [[ -e $1 ]] || return 0
  mkdir -p "$target$(dirname "$1")"
  : >"$target$1"
}

# mark_directory PATH: git keeps no empty folder.
mark_directory() {
  [[ -d $1 ]] || return 0
  mkdir -p "$target$1"
  : >"$target$1/.keep"
}

record_pci_device() {
  local device=$1 file
  for file in vendor numa_node local_cpulist product_name; do
    copy "$device/$file"
  done
  copy_link "$device/physfn"
  for file in "$device"/drm/renderD*/dev; do copy "$file"; done
}

# A device, the bridges above it, and the links by which the kernel lists them.
record_accelerator() {
  local device address
  device=$(readlink -f "$1")
  while address=${device##*/} && [[ $address == *:*:*.* ]]; do
    record_pci_device "$device"
    copy_link "/sys/bus/pci/devices/$address"
    device=${device%/*}
  done
}

shopt -s nullglob
for driver in /sys/bus/pci/drivers/{nvidia,amdgpu,hy*cu}; do
  for link in "$driver"/*:*:*.*; do
    copy_link "$link"
    record_accelerator "$link"
  done
done
for module in /sys/module/{nvidia,amdgpu,hy*cu}; do mark_directory "$module"; done
for file in /proc/driver/nvidia/gpus/*/information \
  /sys/class/kfd/kfd/topology/nodes/*/properties \
  /sys/devices/system/cpu/online \
  /sys/devices/system/node/{online,has_cpu,has_memory,has_normal_memory} \
  /sys/devices/system/node/node*/{cpulist,distance} \
  /sys/kernel/mm/transparent_hugepage/{enabled,defrag,hpage_pmd_size} \
  /opt/dtk/.info/rocm_version; do
  copy "$file"
done
for file in /sys/devices/system/node/node*/meminfo; do
  copy "$file"
  sed -i -n '/MemTotal\|MemFree/p' "$target$file"
done
for file in /dev/nvidia[0-9]* /dev/kfd /dev/mkfd /dev/dri/renderD*; do mark "$file"; done
mark_directory /opt/hyhal
mark_directory /usr/local/hyhal

# Ids that name one physical device in the world become counted ones.
number=0
for file in "$target"/proc/driver/nvidia/gpus/*/information; do
  uuid=$(printf 'GPU-00000000-0000-4000-8000-%012x' "$number")
  sed -i -E "/^GPU UUID:/ { /\?/! s/GPU-[0-9a-f-]+/$uuid/ }" "$file"
  number=$((number + 1))
done
for file in "$target"/sys/class/kfd/kfd/topology/nodes/*/properties; do
  number=$((number + 1))
  sed -i -E "s/^unique_id [1-9][0-9]*$/unique_id $number/" "$file"
done

printf 'Recorded into %s. Add a line about it to tests/machines/README.md.\n' "$target"
