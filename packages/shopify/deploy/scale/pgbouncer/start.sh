#!/bin/sh
# PgBouncer reads passwords from a file only. This one is in the memory of the container.
set -eu
umask 077
printf '"tillkit" "%s"\n' "$POSTGRES_PASSWORD" >/tmp/users.txt
exec pgbouncer "${1:-/etc/pgbouncer/pgbouncer.ini}"
