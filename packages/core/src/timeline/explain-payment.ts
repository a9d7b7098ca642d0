import { CheckoutError } from "../domain/checkout-error.ts";
import { equationsOf } from "../domain/equation.ts";
import type { FindingCode } from "../domain/finding.ts";
import { formatMoney, type Language } from "../domain/money.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { EntryFacts, TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import type { Reader } from "../texts/finding-texts.ts";
import { explainEntry, TEXTS, type TimelineTexts } from "../texts/timeline-texts.ts";

/** The timeline of a payment or an order as sentences, the same on every page. Times in milliseconds since 1970. */
export type Explanation = {
  readonly headline: string;
  readonly entries: readonly { readonly at: number; readonly actor: string; readonly text: string }[];
};

/**
 * Explains a payment or an order from the ledger alone. For an order without payments `entries` is empty.
 * @throws CheckoutError `payment_not_found`
 */
export async function explainPayment(
  engine: Pick<Engine, "ledger">,
  about: { readonly paymentId: string } | { readonly ref: OrderRef },
  language: Language,
  reader: Reader = "owner",
): Promise<Explanation> {
  const texts = TEXTS[language];
  const payments =
    "ref" in about ? await engine.ledger.paymentsOfOrder(about.ref) : [await findPayment(engine, about.paymentId)];
  const shown = mostRelevant(payments);
  if (!shown) return { headline: texts.noPayment, entries: [] };
  const timeline = await engine.ledger.timeline(about);
  return {
    headline: await headlineOf(engine, shown, language, reader),
    entries: timeline.map((entry) => ({
      at: entry.at,
      actor: actorName(entry, texts),
      text: explainEntry(entry, language, reader),
    })),
  };
}

/** The sentence of the payment's state. After a partial refund, a second sentence names the refunded and the remaining amount. */
async function headlineOf(
  { ledger }: Pick<Engine, "ledger">,
  payment: Payment,
  language: Language,
  reader: Reader,
): Promise<string> {
  const texts = TEXTS[language];
  const amountDue = formatMoney(payment.amountDue, language);
  const headline = texts.headline[payment.state](amountDue, reader);
  if (payment.state === "refunded") return headline;
  const equations = equationsOf(payment, await gatherMovements(ledger, payment.id));
  const [{ returned, disputed, available }] = equations;
  // What remains after a dispute or beside a surplus is explained where the sums are shown: here it would not add up.
  if (returned.minor === 0 || disputed.minor !== 0 || equations.length > 1) return headline;
  return `${headline} ${texts.partlyRefunded(formatMoney(returned, language), formatMoney(available, language))}`;
}

async function findPayment(engine: Pick<Engine, "ledger">, paymentId: string): Promise<Payment> {
  const payment = await engine.ledger.find({ id: paymentId });
  if (payment) return payment;
  throw new CheckoutError("payment_not_found", `There is no payment "${paymentId}" in this ledger.`);
}

// The payment with the most relevant state explains the order: paid, then held, then open. Of several payments in that state the
// newest is taken.
const RELEVANCE: readonly PaymentState[] = [
  "recorded",
  "verified",
  "review",
  "refunding",
  "open",
  "intent",
  "refunded",
  "duplicate",
  "superseded",
  "expired",
  "closed",
];

function mostRelevant(payments: readonly Payment[]): Payment | undefined {
  return [...payments].sort(
    (left, right) => RELEVANCE.indexOf(left.state) - RELEVANCE.indexOf(right.state) || right.createdAt - left.createdAt,
  )[0];
}

type EntryKinds = ReadonlySet<EntryFacts["kind"]>;

/** Kinds of entries whose fact comes from the service, whatever triggered the read. */
const REPORTED_BY_SERVICE: EntryKinds = new Set(["paid", "expired", "closed", "refunded", "refused"]);

/** Kinds of entries whose fact comes from the shop. */
const REPORTED_BY_STORE: EntryKinds = new Set(["recorded", "duplicate", "accepted_by_hand"]);

/** Findings about the order: the merchant changed or removed the order, or the shop refuses the payment. Other findings come from the service. */
const FOUND_IN_STORE: ReadonlySet<FindingCode> = new Set([
  "total_changed",
  "order_gone",
  "order_not_payable",
  "paid_outside",
]);

// An entry's `actor` is what triggered the read, such as the shopper's return. People think that the actor caused the
// fact, so a fact that the service or the shop reported is shown under the name of the service or the shop.
function actorName(entry: TimelineEntry, texts: TimelineTexts): string {
  if (entry.kind === "held") return texts.actor[FOUND_IN_STORE.has(entry.finding.code) ? "store" : "webhook"];
  if (REPORTED_BY_SERVICE.has(entry.kind)) return texts.actor.webhook;
  return texts.actor[REPORTED_BY_STORE.has(entry.kind) ? "store" : entry.actor];
}
