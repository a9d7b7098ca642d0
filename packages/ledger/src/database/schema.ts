import type { Dispute, Payment, Refund, TimelineEntry } from "@tillkit/core";
import type { Delivery, DeliveryOutcome, Job, PaidTransaction } from "@tillkit/core/ledger";
import type { Generated, Kysely } from "kysely";

/** The ledger's tables. Amounts are integers in minor units, times are milliseconds since 1970, bodies are bytes. */
export type LedgerSchema = {
  tillkit_payments: PaymentTable;
  tillkit_transactions: TransactionTable;
  tillkit_refunds: RefundTable;
  tillkit_disputes: DisputeTable;
  tillkit_jobs: JobTable;
  /**
   * The unique keys of the jobs of hosts, those that are done included: `done_since` is their last due time. `payload` is the one with
   * which the job was added.
   */
  tillkit_job_keys: { store_id: string; unique_key: string; payload: string; done_since: number | null };
  tillkit_deliveries: {
    endpoint_id: Delivery["endpointId"];
    digest: Delivery["digest"];
    /** Pruning leaves an empty body. */
    body: Uint8Array;
    received_at: number;
    /** Null until the delivery is processed. */
    outcome: DeliveryOutcome | null;
    payment_id: string | null;
    processed_at: number | null;
    /** Null until the delivery is processed, and for a body that is not an event. */
    event: string | null;
    event_at: number | null;
    attempts: Generated<number>;
    /** The transaction that an unrelated event of a refund or a dispute named; null for every other delivery. */
    transaction_id: string | null;
  };
  tillkit_order_locks: {
    store_id: string;
    order_id: string;
    fence: number;
    worker: string;
    /** Null after the worker released the lock. */
    leased_until: number | null;
  };
  tillkit_timeline: {
    sequence: Generated<number>;
    payment_id: string | null;
    at: number;
    actor: TimelineEntry["actor"];
    kind: string;
    detail: string;
  };
  tillkit_operator_acts: {
    sequence: Generated<number>;
    at: number;
    done_by: string;
    act: string;
    payment_id: string | null;
    detail: string;
  };
  /**
   * The changes that `tillkit_payment_hours` does not include yet. For each change of a payment, triggers add a row with `count` -1
   * and the old values, and a row with `count` 1 and the new values.
   */
  tillkit_payment_changes: CountedPayments & { sequence: Generated<number> };
  /** The sums of all older changes, by hour. The store `""` stands for all stores together. */
  tillkit_payment_hours: CountedPayments;
  tillkit_records: RecordTable;
  /** The same columns as `tillkit_records`, with encrypted values. */
  tillkit_secrets: RecordTable;
  /** `sealed` is encrypted JSON: the API key, its address and account, and the webhook secrets. */
  tillkit_credentials: {
    id: string;
    environment: Payment["environment"];
    endpoint_id: string;
    sealed: string;
    /** The version of all credentials that the last change of this one made. */
    version: number;
  };
  tillkit_credential_stores: { store_id: string; environment: Payment["environment"]; credential_id: string };
  /** How often something was changed. Each change counts its version up in its own transaction. */
  tillkit_versions: { name: string; version: number };
  /** How many calls to the service each credential made in the newest window of each name. */
  tillkit_budgets: { credential_id: string; name: string; window_started_at: number; spent: number };
};

/** The database, or a transaction in it. */
export type Session = Kysely<LedgerSchema>;

type PaymentTable = {
  /** The order of insertion, which sorts payments that were created in the same millisecond. */
  sequence: Generated<number>;
  id: string;
  store_id: string;
  order_id: string;
  order_number: string;
  attempt: string;
  environment: Payment["environment"];
  account: string | null;
  credential_id: string;
  created_at: number;
  amount_due_minor: number;
  amount_due_currency: string;
  wire_amount: number;
  /** Both columns are null until the amount received is known. */
  amount_received_minor: number | null;
  amount_received_currency: string | null;
  request: string;
  reference: string;
  session_id: string | null;
  session_url: string | null;
  session_expires_at: number | null;
  transaction_id: string | null;
  state: Payment["state"];
  version: number;
  checks: number;
  next_check_at: number | null;
  store_write_at: number | null;
  store_tries: number;
  store_retry_at: number | null;
  /** JSON. */
  finding: string | null;
  /** JSON. */
  waiver: string | null;
  lost_to_dispute: 0 | 1;
  traceparent: string | null;
} & TransactionColumns &
  Defaults<PaymentSums>;

/** The payment's equation after its last commit. It is no part of `Payment`: it repeats what the movements say, for sums of many payments. */
export type PaymentSums = {
  /** The currency of the equation. Null in a payment of an older version until its equation was computed. */
  sum_currency: string | null;
  sum_received: number;
  sum_returned: number;
  sum_leaving: number;
  sum_disputed: number;
};

type Defaults<Columns> = { [Name in keyof Columns]: Generated<Columns[Name]> };

/** What operators see and search. These columns are no part of `Payment`, and null until their value is known. */
type TransactionColumns = {
  /** The last part of `session_url`. It stays when `session_url` is pruned. */
  session_code: string | null;
  transaction_code: string | null;
  customer_id: string | null;
  method: string | null;
  wire_fee: number | null;
  wire_net: number | null;
  /** When the service made the event of the success. */
  succeeded_at: number | null;
  recorded_at: number | null;
};

type TransactionTable = {
  sequence: Generated<number>;
  payment_id: string;
  id: string;
  /** How many transactions of the payment were stored before this one. */
  position: number;
  code: string | null;
  amount_minor: number;
  amount_currency: string;
  is_read: 0 | 1;
  evidence: PaidTransaction["evidence"];
  at: number;
};

type RefundTable = {
  sequence: Generated<number>;
  key: string;
  payment_id: string;
  origin: Refund["origin"];
  amount_minor: number;
  amount_currency: string;
  request: string;
  transaction_id: string;
  state: Refund["state"];
  refund_id: string | null;
  requested_at: number;
  read_only_since: number | null;
  /** JSON. */
  other_keys: string;
  /** The credential of the payment, so that its newest marks are found by an index. */
  credential_id: string;
  mark: string | null;
  mark_read_at: number | null;
  unmarked_key: string | null;
};

type DisputeTable = {
  sequence: Generated<number>;
  id: string;
  payment_id: string;
  transaction_id: string | null;
  /** Both columns are null when no event named an exact amount. */
  amount_minor: number | null;
  amount_currency: string | null;
  reason: string;
  status: Dispute["status"];
  outcome: Dispute["outcome"];
  evidence_due_by: number | null;
  opened_at: number;
  updated_at: number;
  /** Derived from `status`. The list of disputes sorts by this column first, so that open disputes come first. */
  is_open: 0 | 1;
};

type JobTable = {
  id: Generated<number>;
  kind: Job["kind"];
  /** `""` for a job without a store: unlike null, a text lets the claim walk the index from store to store. */
  store_id: string;
  payment_id: string | null;
  payload: string;
  due_at: number;
  /** When the job can be claimed: its due time, or the end of its lease. Null for a dead-letter job. */
  ready_at: number | null;
  worker: string | null;
  attempts: number;
  /** Why the last attempt failed. */
  error_code: string | null;
  error: string | null;
  /** Null for a job about a payment; else the job of a host. */
  unique_key: Generated<string | null>;
  /** How long a job of a host waits for its due time. */
  wait_ms: Generated<number>;
  /** JSON. */
  error_reason: string | null;
};

type CountedPayments = {
  store_id: string;
  /** The hour of the payment's creation: hours since 1970, UTC. */
  hour: number;
  environment: Payment["environment"];
  currency: string;
  state: Payment["state"];
  /** Empty while the method is unknown. */
  method: string;
  count: number;
  /** The sums of the payments' equations. */
  received: number;
  returned: number;
  leaving: number;
  disputed: number;
};

type RecordTable = { store_id: string; kind: string; key: string; value: string; version: number };
