import type { Clock, Dispute, Finding, JobError, Ledger, Payment, PaymentState, TimelineEntry } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createInvitations, createStoreRegistry, type SelfService } from "@tillkit/server";

const MINUTE = 60_000;

/** A ledger after a busy day: payments in every state, a held payment, a duplicate payment, dead-letter jobs and all kinds of webhooks. */
export async function openBusyLedger(now: number): Promise<Ledger> {
  const ledger = createMemoryLedger();
  for (const [index, sample] of SAMPLES.entries()) await addPayment(ledger, sample, index, createdAtOf(index, now));
  await addDisputes(ledger, now);
  await addFailingJob(ledger, "p-0004", { code: "unavailable", message: "The shop answered 503." }, now);
  await addDeadJob(
    ledger,
    "p-0010",
    { code: "reconnect", message: "The shop refused our connection: its key was revoked." },
    now,
  );
  await addDeadJob(
    ledger,
    "p-0011",
    { code: "unexpected", message: "The shop answered with a page instead of data." },
    now,
  );
  for (const outcome of ["orphan", "unrelated", "unreadable"] as const) await addDelivery(ledger, outcome, null, now);
  await addDelivery(ledger, "processed", "p-0012", now);
  await ledger.receive([createDelivery(`waiting ${now}`, now)]);
  await addEvents(ledger);
  await addRefunds(ledger, now);
  return ledger;
}

/** The shops of the ledger as their owners connected them, one of them suspended, and an invitation that nobody has used. */
export async function connectShops({ records }: Ledger, clock: Clock): Promise<SelfService> {
  const registry = createStoreRegistry(records, clock);
  const since = clock.now() - 60 * MINUTE;
  const times = { stateSince: since, connectedAt: since, linkedAt: since - 60 * MINUTE };
  const look = { currencies: ["XOF"], language: "fr", pluginVersion: "0.1.0" } as const;
  for (const [storeId, name, state] of [
    ["boutique", "Chez Adjoua", "connected"],
    ["marche-en-ligne", null, "suspended"],
  ] as const)
    await registry.put({ storeId, name, state, address: `https://${storeId}.example`, ...look, ...times }, null);
  const invitations = createInvitations(records, clock);
  await invitations.create();
  return { registry, invitations, disconnect: async () => "leaving" };
}

/** What a shop or the service may name things: longer than any line of a phone, and without a place to break it. */
export const LONG = "x".repeat(100);

export function longDispute(paymentId: string, now: number): Dispute {
  const amount = { minor: 123_456_789, currency: "XOF" };
  const times = { evidenceDueBy: now + 86_400_000, openedAt: now, updatedAt: now };
  return { id: LONG, paymentId, transactionId: null, amount, reason: LONG, status: "pending", outcome: null, ...times };
}

/** The first ten payments began in the last five hours, the others in the six days before, more of them on later days. */
function createdAtOf(index: number, now: number): number {
  const recentPayments = 10;
  if (index < recentPayments) return now - (300 - index * 9) * MINUTE;
  const share = (SAMPLES.length - index) / (SAMPLES.length - recentPayments);
  const [youngestMinutes, spreadMinutes] = [360, 8_200];
  // An exponent above 1 moves payments to later days.
  return now - Math.round((youngestMinutes + share ** 1.6 * spreadMinutes) * MINUTE);
}

const METHODS = ["WAVE", "CARD", "MTN"];

/** Adds an event for each payment, with method, fee and net amount: a success where the payment is paid, else a failure. */
async function addEvents(ledger: Ledger): Promise<void> {
  const { rows } = await ledger.listPayments({ limit: 200 });
  for (const [index, { id, createdAt, amountDue, state }] of rows.entries()) {
    const isPaid = hasArrived(state);
    const name = isPaid ? "PAYMENT_SUCCEEDED" : "PAYMENT_FAILED";
    const fee = Math.round(amountDue.minor * 0.025);
    const data = {
      transaction_id: `txn_${id}`,
      gross_amount: amountDue.minor,
      customer_name: "Awa Diop",
      status: "completed",
    };
    const received = createDelivery(JSON.stringify({ id, event: name, data }), createdAt + 2 * MINUTE);
    await ledger.receive([received]);
    const ids = { code: `txn_${id.slice(2)}QW3ER5TYU7`, customerId: "3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f" };
    const transaction = { ...ids, method: METHODS[index % 3] ?? null, wireFee: fee, wireNet: amountDue.minor - fee };
    const event = { name, at: createdAt + 2 * MINUTE - 400 * (index % 7), transaction };
    const processedDelivery = {
      endpointId: received.endpointId,
      digest: received.digest,
      outcome: "processed",
      paymentId: id,
      processedAt: createdAt,
    } as const;
    await ledger.commit({ processed: [{ ...processedDelivery, event, attempts: 1 }], timeline: [] });
  }
}

/** Adds a partial refund, a pending refund of the store, and a failed refund from the service's dashboard. */
async function addRefunds(ledger: Ledger, now: number): Promise<void> {
  const request = '{"amount":5000,"reason":"requested_by_customer"}';
  const common = {
    request,
    refundId: null,
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
    requestedAt: now - MINUTE,
  };
  const refund = (paymentId: string, minor: number, origin: "store" | "service" | "tillkit") => {
    const ids = { key: `${origin} ${paymentId}`, paymentId, transactionId: `txn_${paymentId}` };
    return { ...common, ...ids, origin, amount: { minor, currency: paymentId === "p-0014" ? "USD" : "XOF" } };
  };
  const amount = { minor: 5_000, currency: "XOF" };
  await ledger.commit({
    refunds: [
      { ...refund("p-0015", 5_000, "tillkit"), state: "completed", refundId: "e2a4c6e8-1b3d-4f5a-8c7e-9d0b1a2c3e4f" },
      { ...refund("p-0014", 700, "store"), state: "pending" },
      { ...refund("p-0016", 900, "service"), state: "failed" },
    ],
    timeline: [
      { paymentId: "p-0015", at: now - MINUTE, actor: "operator", kind: "refund_requested", amount },
      { paymentId: "p-0015", at: now - MINUTE, actor: "operator", kind: "refund_decided", by: "Adjoua, bookkeeping" },
      { paymentId: "p-0015", at: now - MINUTE, actor: "operator", kind: "refund_completed", amount },
    ],
  });
}

/** Adds a dispute that waits for evidence, a dispute whose deadline passed, and a dispute for each outcome. */
async function addDisputes(ledger: Ledger, now: number): Promise<void> {
  const DAY = 24 * 60 * MINUTE;
  const common = { transactionId: null, amount: { minor: 26_000, currency: "XOF" }, outcome: null, updatedAt: now };
  const open = { ...common, status: "pending" } as const;
  const closed = { ...common, status: "closed" } as const;
  const awaitingEvidence = { id: "d1a2b3c4-5e6f-4a7b-8c9d-0e1f2a3b4c5d", paymentId: "p-0012", openedAt: now - DAY };
  await ledger.commit({
    disputes: [
      { ...open, ...awaitingEvidence, reason: "product_not_received", evidenceDueBy: now + DAY },
      { ...open, id: "d-late", paymentId: "p-0013", reason: "", evidenceDueBy: now - DAY, openedAt: now - 9 * DAY },
      { ...closed, id: "d-won", paymentId: "p-0014", reason: "", evidenceDueBy: null, openedAt: now, outcome: "won" },
      { ...closed, id: "d-lost", paymentId: "p-0015", reason: "", evidenceDueBy: null, openedAt: now, outcome: "lost" },
    ],
    timeline: [],
  });
}

function hasArrived(state: PaymentState): boolean {
  return !["open", "expired", "closed", "superseded"].includes(state);
}

type Sample = { readonly state: PaymentState; readonly finding?: Finding; readonly orderId?: string };

const SAMPLES: readonly Sample[] = [
  {
    state: "review",
    finding: {
      code: "total_changed",
      expected: { minor: 25_000, currency: "XOF" },
      found: { minor: 27_500, currency: "XOF" },
    },
  },
  { state: "review", finding: { code: "other_reference" } },
  { state: "recorded", orderId: "1044" },
  { state: "duplicate", orderId: "1044" },
  { state: "verified" },
  { state: "open" },
  { state: "superseded" },
  { state: "expired" },
  { state: "closed" },
  { state: "refunded" },
  ...Array.from({ length: 60 }, (): Sample => ({ state: "recorded" })),
];

async function addPayment(ledger: Ledger, sample: Sample, index: number, createdAt: number): Promise<void> {
  const id = `p-${String(index).padStart(4, "0")}`;
  const currency = index % 5 === 4 ? "USD" : "XOF";
  const amountDue = { minor: 25_000 + index * 500, currency };
  const payment: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: { storeId: index % 3 === 0 ? "boutique" : "marche-en-ligne", orderId: sample.orderId ?? String(1042 + index) },
    orderNumber: sample.orderId ?? String(1042 + index),
    attempt: "",
    environment: index % 2 === 0 ? "test" : "live",
    account: null,
    credentialId: "key_0123456789ab",
    createdAt,
    amountDue,
    amountReceived: hasArrived(sample.state) ? amountDue : null,
    wireAmount: 25_000 + index * 500,
    request: "{}",
    reference: `${id}.0123456789abcdef`,
    session: { id: `cs_${id}`, url: "https://pay.example/cs", expiresAt: createdAt + 60 * MINUTE },
    transactionId: sample.state === "open" ? null : `txn_${id}_0123456789abcdef0123456789`,
    state: sample.state,
    checks: 2,
    finding: sample.finding ?? null,
  };
  await ledger.commit({ payment: { next: payment, expect: "new" }, timeline: timelineOf(payment) });
}

function timelineOf({ id, createdAt, state, finding }: Payment): readonly TimelineEntry[] {
  const context = (minutes: number, actor: TimelineEntry["actor"]) => {
    return { paymentId: id, at: createdAt + minutes * MINUTE, actor } as const;
  };
  const last: Partial<Record<PaymentState, TimelineEntry>> = {
    recorded: { ...context(3, "store"), kind: "recorded", evidence: "read-back" },
    verified: { ...context(3, "store"), kind: "store_unavailable" },
    duplicate: { ...context(3, "timer"), kind: "duplicate" },
    ...(finding && { review: { ...context(3, "timer"), kind: "held", finding } }),
  };
  const end = last[state];
  const started: TimelineEntry[] = [
    { ...context(0, "shopper"), kind: "started" },
    { ...context(0, "shopper"), kind: "opened" },
    { ...context(1, "shopper"), kind: "acted" },
  ];
  return end ? [...started, { ...context(2, "webhook"), kind: "paid" }, end] : started;
}

/** The transactions of the ledger's payments as the service lists them. It knows of a refund that the ledger does not know. */
export async function transactionsOf(ledger: Ledger): Promise<readonly unknown[]> {
  const { rows } = await ledger.listPayments({ limit: 200 });
  return rows.map(({ id, transactionId, amountDue: { minor, currency }, createdAt }) => {
    const fee = Math.round(minor * 0.025);
    const amounts = { gross_amount: minor, fee_amount: fee, net_amount: minor - fee, currency_code: currency };
    const refundedAmounts: Readonly<Record<string, number>> = { "p-0015": 5_000, "p-0024": 3_000 };
    const refunded = refundedAmounts[id] ?? 0;
    const ids = { transaction_id: transactionId, status: "completed", refunded_amount: refunded };
    return { ...ids, ...amounts, created_at: new Date(createdAt).toISOString() };
  });
}

/** Adds a job that has failed several times and is still retried. */
async function addFailingJob(ledger: Ledger, paymentId: string, error: JobError, now: number): Promise<void> {
  const work = { kind: "confirm", storeId: "marche-en-ligne", paymentId, payload: "", dueAt: now } as const;
  await ledger.commit({ jobs: [work], timeline: [] });
  for (let tries = 1; tries <= 12; tries += 1) {
    const jobs = await ledger.claim({ worker: "the timer", now, leaseMs: MINUTE, limit: 1 });
    const dueAt = tries < 12 ? now : now + 2 * MINUTE;
    await ledger.commit({ retried: jobs.map(({ id }) => ({ id, dueAt, error })), timeline: [] });
  }
}

/** Adds a dead-letter job. */
export async function addDeadJob(ledger: Ledger, paymentId: string, error: JobError, now: number): Promise<void> {
  const worker = "a worker";
  const storeId = (await ledger.find({ id: paymentId }))?.ref.storeId ?? null;
  await ledger.commit({ jobs: [{ kind: "confirm", storeId, paymentId, payload: "", dueAt: now }], timeline: [] });
  const jobs = await ledger.claim({ worker, now, leaseMs: MINUTE, limit: 1 });
  await ledger.commit({ retried: jobs.map(({ id }) => ({ id, dueAt: null, error })), timeline: [] });
}

async function addDelivery(
  ledger: Ledger,
  outcome: "processed" | "orphan" | "unrelated" | "unreadable",
  paymentId: string | null,
  now: number,
): Promise<void> {
  const received = createDelivery(`${outcome} ${now}`, now - 5 * MINUTE);
  await ledger.receive([received]);
  const { endpointId, digest } = received;
  await ledger.commit({
    processed: [{ endpointId, digest, outcome, paymentId, processedAt: now }],
    timeline: [],
  });
}

/** A delivery of this text. Its digest has only the form of a digest: the first bytes in hexadecimal digits. */
function createDelivery(text: string, receivedAt: number) {
  const bytes = new TextEncoder().encode(text);
  const digest = [...bytes]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .padEnd(64, "0")
    .slice(0, 64);
  return { endpointId: "boutique-test", digest, bytes, receivedAt };
}
