/** Operators, members, memberships with their capabilities, invites and the fees of Operators. */
export const operatorSchema = `
create table operators (
  operator_id text primary key, organization_id text not null unique, status text not null,
  default_capabilities_json text not null, fee_json text, created_at integer not null
) strict;

create table members (
  member_id text primary key, organization_id text not null unique, account text not null unique, status text not null,
  branding_json text not null, created_at integer not null
) strict;

create table memberships (
  membership_id text primary key, operator_id text not null, member_id text not null, status text not null,
  created_at integer not null, updated_at integer not null, unique (operator_id, member_id)
) strict;

create table capability_grants (
  membership_id text not null, environment text not null, capability text not null, state text not null,
  primary key (membership_id, environment, capability)
) strict, without rowid;

create table invites (
  invite_id text primary key, token text not null unique, operator_id text not null, requested_capabilities_json text,
  status text not null, membership_id text, expires_at integer not null, created_at integer not null,
  updated_at integer not null
) strict;

create table operator_fees (
  transaction_id text primary key, operator_id text not null, membership_id text not null, environment text not null,
  amount integer not null, currency_code text not null, rule_json text not null, created_at integer not null
) strict;
create index fees_of_operator on operator_fees (operator_id, created_at);
`;
