#!/usr/bin/env bash
# libhyperacc.so shows hyperacc_* and nothing else, and needs no C++ library of the process.
set -euo pipefail
library=$1
failed=0

others=$(nm -D --defined-only "$library" | awk '$3 !~ /^hyperacc_(abi|explain|features|free|status)$/ {print $3}')
[[ -z $others ]] || { echo "exports more than its header: $others"; failed=1; }

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|ld-linux.*)\.so\.[0-9]+$' || true)
[[ -z $needed ]] || { echo "needs $needed"; failed=1; }

readelf -d "$library" | grep -q 'BIND_NOW\|NOW' || { echo 'is not bound at load time'; failed=1; }
exit $failed
