#!/usr/bin/env bash
# Installs what the queue suite starts for itself: Debian's Redis and PostgreSQL. Does nothing when they are there.
set -euo pipefail

as_root() {
	if [[ $(id --user) -eq 0 ]]; then "$@"; else sudo --non-interactive "$@"; fi
}

missing=()
command -v redis-server >/dev/null || missing+=(redis-server)
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql)
[[ ${#missing[@]} -eq 0 ]] && exit 0

# Debian starts services as it installs them; the suite starts its own, on free ports, with its own data.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
	printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
	as_root chmod +x "$policy"
	trap 'as_root rm --force "$policy"' EXIT
fi
as_root apt-get update --quiet=2
as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"
