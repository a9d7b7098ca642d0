import { CheckoutError } from "../domain/checkout-error.ts";
import type { Finding } from "../domain/finding.ts";
import { formatMoney, type Language } from "../domain/money.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { StoryLine } from "../domain/story.ts";
import type { Engine } from "./engine.ts";
import { WORDS, type Words } from "./explain-words.ts";

/** The story of a payment or an order in plain sentences, the same words wherever it is shown. Times in milliseconds since 1970. */
export type Explanation = {
  readonly headline: string;
  readonly lines: readonly { readonly at: number; readonly who: string; readonly text: string }[];
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
  const payments = "ref" in about ? await engine.ledger.siblings(about.ref) : [await one(engine, about.paymentId)];
  const told = mostTelling(payments);
  if (!told) return { headline: words.noPayment, lines: [] };
  const story = await engine.ledger.story(about);
  return {
    headline: words.headline[told.state](formatMoney(told.owed, language)),
    lines: story.map((line) => ({ at: line.at, who: speaker(line, words), text: sentence(line, words, language) })),
  };
}

export function explainDuplicate(payment: Payment, language: Language): string {
  return WORDS[language].headline.duplicate(formatMoney(payment.owed, language));
}

export function explainFinding(finding: Finding, language: Language): string {
  return WORDS[language].finding[finding.code](people(finding.expected, language), people(finding.found, language));
}

async function one(engine: Pick<Engine, "ledger">, paymentId: string): Promise<Payment> {
  const payment = await engine.ledger.find({ id: paymentId });
  if (payment) return payment;
  throw new CheckoutError("payment_not_found", `There is no payment "${paymentId}" in this ledger.`);
}

// The payment that says most about its order: paid before held before still open; of equals the newest.
const TELLING: readonly PaymentState[] = [
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

function mostTelling(payments: readonly Payment[]): Payment | undefined {
  return [...payments].sort(
    (left, right) => TELLING.indexOf(left.state) - TELLING.indexOf(right.state) || right.createdAt - left.createdAt,
  )[0];
}

/** What the service said, whoever made us ask. */
const SAID_BY_THE_SERVICE: ReadonlySet<string> = new Set(["paid", "lapsed", "closed", "refunded", "refused"]);

function speaker({ who, what }: StoryLine, words: Words): string {
  return words.who[SAID_BY_THE_SERVICE.has(what) ? "webhook" : who];
}

function sentence(line: StoryLine, words: Words, language: Language): string {
  if (line.what === "held") return explainFinding(JSON.parse(line.detail) as Finding, language);
  const tell = words.story[line.what];
  return tell ? tell(people(line.detail, language)) : `${line.what} ${line.detail}`.trim();
}

// "5000 XOF" in minor units becomes what people write.
function people(text: string, language: Language): string {
  const match = /^(\d+) (XOF|USD|EUR)$/.exec(text);
  return match ? formatMoney({ minor: Number(match[1]), currency: match[2] ?? "" }, language) : text;
}
