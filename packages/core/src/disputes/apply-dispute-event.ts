import type { ServiceEvent } from "@tillkit/client/webhooks";
import { CheckoutError } from "../domain/checkout-error.ts";
import {
  type Dispute,
  type DisputeOutcome,
  type DisputeStatus,
  disputeFacts,
  isNewerDispute,
  isOpenDispute,
  sameDispute,
} from "../domain/dispute.ts";
import { type AmountUnit, fromWire, type Money } from "../domain/money.ts";
import { amountUnitOf, type Payment } from "../domain/payment.ts";
import { safeText } from "../domain/safe-text.ts";
import type { DisputeEntryKind } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { jobOf } from "../payments/payment-jobs.ts";
import { recordNews } from "../payments/record-entry.ts";
import { type PaymentUpdate, updatePayment } from "../payments/stored-payment.ts";
import { afterDisputes } from "./after-disputes.ts";

/**
 * Records the dispute that an event reports, with a timeline entry and a note for the order. An older report never overwrites a
 * newer report, and a report without changes adds no entry. Order and payment state stay unchanged; what a lost dispute took back no
 * longer counts, so a payment that is not on its order yet is judged again.
 *
 * @throws CheckoutError `ledger_busy` (retryable)
 */
export async function applyDisputeEvent(engine: Engine, paymentId: string, event: ServiceEvent): Promise<void> {
  let reported: Dispute | null = null;
  const { status, payment } = await updatePayment(engine, paymentId, async (current) => {
    const known = await engine.ledger.disputes(paymentId);
    const about = { paymentId, unit: amountUnitOf(current), now: engine.clock.now() };
    reported = readDispute(about, event, known);
    const before = known.find(({ id }) => id === reported?.id);
    if (reported === null || (before && !isNewerDispute(reported, before))) return null;
    return await updateFor(engine, current, before, reported, event);
  });
  if (reported === null) return await recordUnnamedDispute(engine, payment, event);
  if (status === "taken") {
    // The dispute's id belongs to another payment.
    const { id: disputeId } = reported as Dispute;
    engine.log.error("dispute.payment_mismatch", { paymentId, disputeId });
  }
  if (status !== "conflict") return;
  throw new CheckoutError("ledger_busy", "The payment changed too often while its dispute was recorded.", {
    retryable: true,
  });
}

/**
 * `changed`: the dispute ended otherwise after all. That is a note of its own, because a store adds each note once. So is the note of a
 * status that the dispute had before: a dispute may be opened again and end a second time.
 */
export function disputeNoteKey({ id, status, outcome, updatedAt }: Dispute, changed?: "changed"): string {
  return [id, status, ...(changed ? [outcome ?? "open"] : []), updatedAt].join(":");
}

/** Whether the note under this key still tells the truth about the dispute. A report that changes less than the note tells changes nothing. */
export function isNoteOf({ id, status, outcome }: Dispute, noteKey: string): boolean {
  const [ofId, ofStatus, ofOutcome = ""] = noteKey.split(":");
  const isOfOutcome = !/^[a-z]/.test(ofOutcome) || ofOutcome === (outcome ?? "open");
  return ofId === id && ofStatus === status && isOfOutcome;
}

// The payment's version serializes the updates: two processes that apply events of one dispute record them one after the other.
async function updateFor(
  engine: Engine,
  payment: Payment,
  before: Dispute | undefined,
  dispute: Dispute,
  event: ServiceEvent,
): Promise<PaymentUpdate> {
  if (before && sameDispute(before, dispute)) return { disputes: [dispute] };
  const at = engine.clock.now();
  const isNewStatus = before?.status !== dispute.status;
  const key = disputeNoteKey(dispute, isNewStatus ? undefined : "changed");
  const isNews = isNewStatus || before.outcome !== dispute.outcome;
  const notes = isNews ? [jobOf(payment, { kind: "note", about: "dispute", key }, at)] : [];
  const { change, jobs } = await afterDisputes(engine, payment, [dispute]);
  const context = { paymentId: payment.id, at, actor: "webhook" } as const;
  const entry = { ...context, kind: entryKindOf(event), ...disputeFacts(dispute) };
  return { change, disputes: [dispute], jobs: [...notes, ...jobs], timeline: [entry] };
}

/** The disputes that these events report, each as its newest report says. Where no ledger keeps them, nothing else shows a dispute. */
export function reportedDisputes(about: About, events: Iterable<ServiceEvent>): readonly Dispute[] {
  const newest = new Map<string, Dispute>();
  for (const event of events) {
    const reported = readDispute(about, event, [...newest.values()]);
    if (reported === null) continue;
    const before = newest.get(reported.id);
    if (before === undefined || isNewerDispute(reported, before)) newest.set(reported.id, reported);
  }
  return [...newest.values()];
}

type About = { readonly paymentId: string; readonly unit: AmountUnit; readonly now: number };

/** The dispute that an event reports, beside what is known of it. Null where the event names none. */
function readDispute(
  { paymentId, unit, now }: About,
  event: ServiceEvent,
  disputes: readonly Dispute[],
): Dispute | null {
  const { disputeId, data } = event;
  if (disputeId === undefined || !DISPUTE_ID.test(disputeId)) return null;
  const known = disputes.find(({ id }) => id === disputeId);
  const createdAt = timeOf(data.created_at);
  const updatedAt = timeOf(data.updated_at) ?? event.timestamp ?? createdAt ?? now;
  const status = statusOf(event) ?? known?.status ?? "pending";
  return {
    id: disputeId,
    paymentId,
    transactionId: event.transactionId ?? known?.transactionId ?? null,
    amount: amountOf(unit, data, known?.amount ?? null),
    reason: typeof data.reason === "string" ? safeText(data.reason).slice(0, MAX_REASON_LENGTH) : (known?.reason ?? ""),
    status,
    outcome: outcomeOf(data.outcome) ?? (isOpenedAgain(event, status, known) ? null : (known?.outcome ?? null)),
    evidenceDueBy: timeOf(data.evidence_due_by) ?? known?.evidenceDueBy ?? null,
    openedAt: createdAt ?? known?.openedAt ?? updatedAt,
    updatedAt,
  };
}

// A person or an event may have said who won, and an event without an outcome says nothing against it. That ends when the dispute is
// open again. A second end tells the same, because the event that opened it again may be lost or late.
function isOpenedAgain({ event }: ServiceEvent, status: DisputeStatus, known: Dispute | undefined): boolean {
  return isOpenDispute({ status }) || (event === "DISPUTE_CLOSED" && status === known?.status);
}

const DISPUTE_ID = /^[\w-]{1,128}$/;
const MAX_REASON_LENGTH = 60;

const STATUSES: readonly DisputeStatus[] = ["pending", "resolved", "closed"];

// A dispute with an unknown status stays open, so that the merchant sees it, unless the event is DISPUTE_CLOSED.
function statusOf({ event, status }: ServiceEvent): DisputeStatus | undefined {
  const known = STATUSES.find((knownStatus) => knownStatus === status);
  if (event !== "DISPUTE_CLOSED") return known;
  return known === undefined || isOpenDispute({ status: known }) ? "closed" : known;
}

function entryKindOf({ event }: ServiceEvent): DisputeEntryKind {
  if (event === "DISPUTE_CREATED") return "dispute_created";
  return event === "DISPUTE_CLOSED" ? "dispute_closed" : "dispute_updated";
}

function outcomeOf(value: unknown): DisputeOutcome | null {
  return value === "won" || value === "lost" ? value : null;
}

// No dispute is of nothing, so zero is no amount. An amount that cannot be read takes the place of the known one: it may be more.
function amountOf(
  unit: AmountUnit,
  { amount, currency_code }: ServiceEvent["data"],
  known: Money | null,
): Money | null {
  if (amount === undefined || amount === null || amount === 0) return known;
  const currency = currency_code ?? known?.currency;
  if (typeof amount !== "number" || typeof currency !== "string") return null;
  return fromWire(amount, currency, unit);
}

// A time without a zone is UTC, whatever the zone of this machine.
const WITHOUT_ZONE = /T[\d:.]+$/;

function timeOf(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(WITHOUT_ZONE.test(value) ? `${value}Z` : value) : Number.NaN;
  return Number.isSafeInteger(at) ? at : null;
}

// A dispute without an id cannot be stored. Each new status gets one timeline entry, however often the service reports the status.
async function recordUnnamedDispute(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  const { status = null, data } = event;
  const reported = status && safeText(status);
  await recordNews(engine, payment.id, { kind: entryKindOf(event), reported, outcome: outcomeOf(data.outcome) });
}
