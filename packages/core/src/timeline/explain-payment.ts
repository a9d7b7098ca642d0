import { CheckoutError } from "../domain/checkout-error.ts";
import type { Finding } from "../domain/finding.ts";
import { formatMoney, type Language } from "../domain/money.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { WORDS, type Words } from "./explain-texts.ts";

/** The story of a payment or an order in plain sentences, the same words wherever it is shown. Times in milliseconds since 1970. */
export type Explanation = {
  readonly headline: string;
  readonly entries: readonly { readonly at: number; readonly actor: string; readonly text: string }[];
};

/**
 * Reads the ledger only. For an order without a payment the headline says so.
 * @throws CheckoutError `payment_not_found`
 */
export async function explainPayment(
  engine: Pick<Engine, "ledger">,
  about: { readonly paymentId: string } | { readonly ref: OrderRef },
  language: Language,
): Promise<Explanation> {
  const words = WORDS[language];
  const payments =
    "ref" in about ? await engine.ledger.siblings(about.ref) : [await findPayment(engine, about.paymentId)];
  const shown = mostRelevant(payments);
  if (!shown) return { headline: words.noPayment, entries: [] };
  const timeline = await engine.ledger.timeline(about);
  return {
    headline: words.headline[shown.state](formatMoney(shown.amountDue, language)),
    entries: timeline.map((entry) => ({
      at: entry.at,
      actor: actorName(entry, words),
      text: sentence(entry, words, language),
    })),
  };
}

export function explainDuplicate(payment: Payment, language: Language): string {
  return WORDS[language].headline.duplicate(formatMoney(payment.amountDue, language));
}

export function explainFinding(finding: Finding, language: Language): string {
  return WORDS[language].finding[finding.code](
    readableAmount(finding.expected, language),
    readableAmount(finding.found, language),
  );
}

async function findPayment(engine: Pick<Engine, "ledger">, paymentId: string): Promise<Payment> {
  const payment = await engine.ledger.find({ id: paymentId });
  if (payment) return payment;
  throw new CheckoutError("payment_not_found", `There is no payment "${paymentId}" in this ledger.`);
}

// The payment that says most about its order: paid before held before still open; of equals the newest.
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

/** What the service said, whoever made us ask. */
const REPORTED_BY_SERVICE: ReadonlySet<string> = new Set(["paid", "lapsed", "closed", "refunded", "refused"]);

function actorName({ actor, kind }: TimelineEntry, words: Words): string {
  return words.who[REPORTED_BY_SERVICE.has(kind) ? "webhook" : actor];
}

function sentence(line: TimelineEntry, words: Words, language: Language): string {
  if (line.kind === "held") return explainFinding(JSON.parse(line.detail) as Finding, language);
  const tell = words.story[line.kind];
  return tell ? tell(readableAmount(line.detail, language)) : `${line.kind} ${line.detail}`.trim();
}

// "5000 XOF" in minor units becomes what people write.
function readableAmount(text: string, language: Language): string {
  const match = /^(\d+) (XOF|USD|EUR)$/.exec(text);
  return match ? formatMoney({ minor: Number(match[1]), currency: match[2] ?? "" }, language) : text;
}
