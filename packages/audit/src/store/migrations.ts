import type { MigrationHistory } from "@tillkit/sql";

/** The tables of audit and guard. Text is compared by bytes, so that pages have the same order everywhere. */
export const factHistory: MigrationHistory = {
  owner: "tillkit-audit",
  steps: [
    {
      name: "0001-facts",
      sqlite: `
        create table tillkit_audit_facts (
          source text not null, kind text not null, id text not null, at integer not null, fact text not null,
          primary key (source, kind, id)
        ) strict, without rowid;
        create table tillkit_audit_marks (
          source text not null, name text not null, value text not null, primary key (source, name)
        ) strict, without rowid;
        create table tillkit_guard_findings (
          key text primary key, finding text not null, first_seen integer not null, last_seen integer not null,
          healed_at integer, alerted_at integer
        ) strict, without rowid;`,
      postgres: `
        create table tillkit_audit_facts (
          source text collate "C" not null, kind text collate "C" not null, id text collate "C" not null,
          at bigint not null, fact text not null, primary key (source, kind, id)
        );
        create table tillkit_audit_marks (
          source text collate "C" not null, name text collate "C" not null, value text not null,
          primary key (source, name)
        );
        create table tillkit_guard_findings (
          key text collate "C" primary key, finding text not null, first_seen bigint not null, last_seen bigint not null,
          healed_at bigint, alerted_at bigint
        );`,
    },
  ],
};
