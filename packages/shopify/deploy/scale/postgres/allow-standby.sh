#!/bin/sh
# Runs once, on the new primary: a user for the standby, and a slot that keeps what the standby has not read yet.
set -eu
psql --quiet --set=ON_ERROR_STOP=1 --set=password="$REPLICATION_PASSWORD" \
  --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role standby with replication login password :'password';
select pg_create_physical_replication_slot('standby');
SQL
echo "host replication standby samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
