#!/bin/sh
# Copies the primary (PGHOST) at the first start, then follows it. Arguments go to the server.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077
  chmod 0700 "$PGDATA"
  PGPASSWORD=$REPLICATION_PASSWORD pg_basebackup --dbname="user=standby application_name=standby" --pgdata="$PGDATA" \
    --slot=standby --wal-method=stream --checkpoint=fast --write-recovery-conf
fi
exec postgres "$@"
