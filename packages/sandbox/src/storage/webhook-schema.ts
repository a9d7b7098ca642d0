/** Webhook endpoints, events, and the delivery queue with its log of attempts. */
export const webhookSchema = `
create table webhook_endpoints (
  seq integer primary key, webhook_id text not null unique, organization_id text not null, environment text not null,
  created_by text not null, url text not null, is_active integer not null, authorized_events_json text not null,
  metadata_json text not null, description text, secret text not null, previous_secret text, rotated_at integer,
  last_triggered_at integer, last_response_status integer, last_response_body text, retry_count integer not null,
  created_at integer not null, updated_at integer not null
) strict;
create index endpoints_of_organization on webhook_endpoints (organization_id, environment, seq);

create table events (
  seq integer primary key, event_id text not null unique, organization_id text not null, environment text not null,
  membership_id text, account text, event text not null, session_id text, transaction_id text,
  data_json text not null, created_at integer not null
) strict;
create index events_of_session on events (session_id, seq);

create table deliveries (
  seq integer primary key, delivery_id text not null unique, event_id text not null, webhook_id text not null,
  state text not null, attempts integer not null, due_at integer not null, held_back integer not null,
  created_at integer not null
) strict;
create index deliveries_of_event on deliveries (event_id);
create index deliveries_due on deliveries (due_at) where state = 'waiting';

create table delivery_logs (
  seq integer primary key, log_id text not null unique, delivery_id text not null, webhook_id text not null,
  organization_id text not null, environment text not null, event_type text not null, event_id text not null,
  payload text not null, headers_json text not null, response_status integer, response_body text,
  attempt_number integer not null, success integer not null, error text, request_duration_ms integer not null,
  created_at integer not null
) strict;
create index logs_of_delivery on delivery_logs (delivery_id, seq);
create index logs_of_endpoint on delivery_logs (webhook_id, seq);
`;
