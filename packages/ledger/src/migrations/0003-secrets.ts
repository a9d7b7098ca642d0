import type { Migration } from "@tillkit/sql";

/** Records that are sealed before they come here. */
export const SECRETS: Migration = {
  name: "0003-secrets",
  sqlite: `
create table tillkit_secrets (
  store_id text not null,
  kind text not null,
  key text not null,
  value text not null,
  version integer not null,
  primary key (store_id, kind, key)
) strict;
`,
  postgres: `
create table tillkit_secrets (
  store_id text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  version integer not null,
  primary key (store_id, kind, key)
);
`,
};
