import type { Delivery, DeliveryOutcome, Dispute, Job, Payment, Refund, TimelineEntry } from "@tillkit/core";
import type { Generated, Kysely } from "kysely";

/** The tables as the code sees them. Amounts are minor units, times milliseconds since 1970, bodies bytes. */
export type LedgerSchema = {
  tillkit_payments: PaymentTable;
  tillkit_refunds: RefundTable;
  tillkit_disputes: DisputeTable;
  tillkit_jobs: JobTable;
  tillkit_deliveries: {
    endpoint_id: Delivery["endpointId"];
    digest: Delivery["digest"];
    /** Empty once it was pruned. */
    body: Uint8Array;
    received_at: number;
    /** Null: not processed yet. */
    outcome: DeliveryOutcome | null;
    payment_id: string | null;
    heard_at: number | null;
  };
  tillkit_order_locks: {
    store_id: string;
    order_id: string;
    fence: number;
    worker: string;
    /** Null: given back. */
    leased_until: number | null;
  };
  tillkit_story: {
    seq: Generated<number>;
    payment_id: string | null;
    at: number;
    who: TimelineEntry["actor"];
    what: string;
    detail: string;
  };
  tillkit_records: { store_id: string; kind: string; key: string; value: string; version: number };
  /** The same, with sealed values. */
  tillkit_secrets: { store_id: string; kind: string; key: string; value: string; version: number };
  /** Calls to the service in the newest window of each name. */
  tillkit_budgets: { credential_id: string; name: string; began_at: number; spent: number };
};

/** The database, or a transaction in it. */
export type Session = Kysely<LedgerSchema>;

type PaymentTable = {
  /** Tells payments of the same moment apart. */
  seq: Generated<number>;
  id: string;
  store_id: string;
  order_id: string;
  attempt: string;
  environment: Payment["environment"];
  account: string | null;
  credential_id: string;
  created_at: number;
  owed_minor: number;
  owed_currency: string;
  wire_amount: number;
  request: string;
  reference: string;
  session_id: string | null;
  session_url: string | null;
  session_expires_at: number | null;
  /** What arrived; both null while nothing is known. */
  received_minor: number | null;
  received_currency: string | null;
  transaction_id: string | null;
  state: Payment["state"];
  version: number;
  checks: number;
  next_check_at: number | null;
  store_write_at: number | null;
  store_tries: number;
  store_retry_at: number | null;
  continue_url: string | null;
  /** JSON. */
  finding: string | null;
  /** JSON. */
  waiver: string | null;
};

type RefundTable = {
  seq: Generated<number>;
  key: string;
  payment_id: string;
  origin: Refund["origin"];
  amount_minor: number;
  amount_currency: string;
  request: string;
  transaction_id: string;
  state: Refund["state"];
  refund_id: string | null;
  asked_at: number;
  read_only_since: number | null;
  /** JSON. */
  other_keys: string;
};

type DisputeTable = {
  seq: Generated<number>;
  id: string;
  payment_id: string;
  transaction_id: string | null;
  /** Both null when no event named an exact amount. */
  amount_minor: number | null;
  amount_currency: string | null;
  reason: string;
  status: Dispute["status"];
  outcome: Dispute["outcome"];
  evidence_due_by: number | null;
  opened_at: number;
  updated_at: number;
  /** Follows from the status; the list and its index lead with it. */
  is_open: 0 | 1;
};

type JobTable = {
  id: Generated<number>;
  kind: Job["kind"];
  /** `""`: no store. A value like any other lets the claim walk the index from store to store. */
  store_id: string;
  payment_id: string | null;
  payload: string;
  due_at: number;
  /** When it may be claimed: its due time, or the end of a lease. Null: a dead letter. */
  ready_at: number | null;
  worker: string | null;
  attempts: number;
  /** Why it was retried, or given up. */
  error: string | null;
};
