import type { Dialect } from "../dialect.ts";

const timeline = ({ sequence, integer, key, table }: Dialect) => `
create table tillkit_timeline (
  sequence ${sequence},
  payment_id ${key},
  at ${integer} not null,
  actor text not null,
  kind text not null,
  detail text not null
)${table};
create index tillkit_timeline_of_payment on tillkit_timeline (payment_id, at);
`;

const operatorActs = ({ sequence, integer, key, table }: Dialect) => `
create table tillkit_operator_acts (
  sequence ${sequence},
  at ${integer} not null,
  done_by text not null,
  act text not null,
  payment_id ${key},
  detail text not null
)${table};
create index tillkit_operator_acts_of_payment on tillkit_operator_acts (payment_id, sequence)
  where payment_id is not null;
`;

const records = (name: string, { key, table }: Dialect) => `
create table ${name} (
  store_id ${key} not null,
  kind ${key} not null,
  key ${key} not null,
  value text not null,
  version integer not null,
  primary key (store_id, kind, key)
)${table};
`;

/** The API keys of the service by id, store and endpoint, and how often they were changed. */
export const credentialTables = ({ integer, key, table }: Dialect) => `
create table tillkit_versions (
  name ${key} primary key,
  version ${integer} not null
)${table};
create table tillkit_credentials (
  id ${key} primary key,
  environment ${key} not null,
  endpoint_id ${key} not null,
  sealed text not null,
  version ${integer} not null,
  unique (id, environment)
)${table};
create index tillkit_credentials_of_endpoint on tillkit_credentials (endpoint_id);
create table tillkit_credential_stores (
  store_id ${key} not null,
  environment ${key} not null,
  credential_id ${key} not null,
  primary key (store_id, environment),
  foreign key (credential_id, environment) references tillkit_credentials (id, environment) on delete cascade
)${table};
create index tillkit_credential_stores_of_credential on tillkit_credential_stores (credential_id);
`;

/** What people and platforms wrote down: the timeline, operators' acts, records, secrets and credentials. */
export function recordTables(dialect: Dialect): string {
  return [
    timeline(dialect),
    operatorActs(dialect),
    records("tillkit_records", dialect),
    records("tillkit_secrets", dialect),
    credentialTables(dialect),
  ].join("");
}
