import type { Migration } from "@tillkit/sql";

type Dialect = { readonly integer: string; readonly key: string; readonly table: string };

const SQLITE: Dialect = { integer: "integer", key: "text", table: " strict" };
const POSTGRES: Dialect = { integer: "bigint", key: 'text collate "C"', table: "" };

const migration = ({ integer, key, table }: Dialect) => `
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

/**
 * The API keys of the service by id, store and endpoint. Before, they were encrypted records with an index of records. Only a process
 * with the encryption keys can read their stores and endpoints, so `moveCredentials` moves them.
 */
export const CREDENTIALS: Migration = {
  name: "0010-credentials",
  sqlite: migration(SQLITE),
  postgres: migration(POSTGRES),
};
