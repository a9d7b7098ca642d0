import { codeOf, learnRefunds, type Money, type Payment, parseMoney, type Refund, refundPayment } from "@tillkit/core";
import type { Errand, ErrandEnd } from "@tillkit/server";
import type { Desk } from "../app/desk.ts";
import { firstError } from "../graphql/operation.ts";
import { type MoneySessionKind, moneyMutations } from "../graphql/payments-operations.ts";
import { MUTATION_WAITS_MS, shopifyLimits } from "../limits.ts";

/** A refund, capture or void that Shopify posted. Times in milliseconds since 1970. */
export type MoneyErrand = {
  readonly kind: MoneySessionKind;
  readonly id: string;
  readonly gid: string;
  /** Shopify's id of the payment session. */
  readonly paymentId: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly test: boolean;
  /** What Shopify is to be told, once that is known, and how often it was told without an answer. */
  readonly tell: Tell | null;
  /** When the service was asked for the refund, and when it was read last. */
  readonly askedAt: number | null;
  readonly readAt: number | null;
};

type Tell = { readonly say: "resolve" | "reject"; readonly message: string; readonly tries: number };

type MoneyDesk = Pick<Desk, "engine" | "ledger" | "sessions" | "graphql" | "clock" | "log">;

type End = ErrandEnd<MoneyErrand>;

/** One go: finds out what became of it as far as can be known now, and tells Shopify when it is final. */
export async function runMoneyErrand(desk: MoneyDesk, { storeId: shop, state }: Errand<MoneyErrand>): Promise<End> {
  if (state.tell) return await tell(desk, shop, state, state.tell);
  const found = await decide(desk, shop, state);
  if ("tell" in found) return { say: "later", state: { ...state, tell: found.tell }, dueAt: desk.clock.now() };
  return { say: "later", ...found };
}

type Decision = { readonly tell: Tell } | { readonly state: MoneyErrand; readonly dueAt: number };

async function decide(desk: MoneyDesk, shop: string, state: MoneyErrand): Promise<Decision> {
  if (state.kind !== "refund")
    return reject("Payments are taken at once: there is no authorization to capture or void.");
  const amount = exact(state);
  const payment = await paymentOf(desk, shop, state);
  if (!amount || !payment)
    return reject("This app knows no paid payment of this amount and mode: nothing was refunded.");
  try {
    const key = `shopify-refund:${state.id}`;
    const refund = await refundPayment(desk.engine, { paymentId: payment.id, key, amount, origin: "store" });
    // An earlier one of the same amount was in doubt. Shopify's two requests are two refunds: this one has its turn after it.
    if (refund.key !== key) return { state, dueAt: desk.clock.now() + shopifyLimits.refundLookMs };
    return await follow(desk, state, refund);
  } catch (error) {
    const message = FINAL[codeOf(error)];
    if (message === undefined) throw error;
    return reject(message);
  }
}

/** Shopify is told only what was read from the service. */
async function follow({ engine, clock }: MoneyDesk, state: MoneyErrand, refund: Refund): Promise<Decision> {
  if (refund.state === "completed") return { tell: { say: "resolve", message: "", tries: 0 } };
  if (refund.state === "failed") return reject("The payment service could not give the money back.");
  const now = clock.now();
  const asked = { ...state, askedAt: state.askedAt ?? now, readAt: state.readAt ?? now };
  if (now < readAgainAt(asked.askedAt, asked.readAt)) return { state: asked, dueAt: now + shopifyLimits.refundLookMs };
  await learnRefunds(engine, refund.paymentId);
  return { state: { ...asked, readAt: now }, dueAt: now };
}

function readAgainAt(askedAt: number, readAt: number): number {
  const next = shopifyLimits.refundReadsMs.map((ms) => askedAt + ms).find((at) => at > readAt);
  return next ?? readAt + shopifyLimits.refundReadEveryMs;
}

// The payment whose money the shop shows: a second one of the same group is given back by other means.
async function paymentOf({ sessions, ledger }: MoneyDesk, shop: string, state: MoneyErrand): Promise<Payment | null> {
  const session = await sessions.find(shop, `gid://shopify/PaymentSession/${state.paymentId}`);
  if (!session || session.test !== state.test) return null;
  const payments = await ledger.siblings({ storeId: shop, orderId: session.group });
  return payments.find((payment) => payment.attempt === session.gid && SHOWN.has(payment.state)) ?? null;
}

const SHOWN: ReadonlySet<string> = new Set(["recorded", "verified", "refunding", "refunded"]);

function exact({ amount, currency }: MoneyErrand): Money | null {
  try {
    return amount === null || currency === null ? null : parseMoney(amount, currency);
  } catch {
    return null;
  }
}

/** Asking again does not help. The words are the shop owner's. */
const FINAL: Readonly<Record<string, string | undefined>> = {
  refund_too_large: "More than what is left of this payment cannot be refunded.",
  refund_not_possible: "Nothing of this payment can be refunded.",
  refund_key_reused: "This refund was asked for before, with another amount.",
  amount_invalid: "The payment service cannot refund this exact amount.",
  currency_not_supported: "The payment service does not take this currency.",
};

function reject(message: string): { readonly tell: Tell } {
  return { tell: { say: "reject", message, tries: 0 } };
}

async function tell(desk: MoneyDesk, shop: string, state: MoneyErrand, { say, message, tries }: Tell): Promise<End> {
  const { resolve, reject: refuse } = moneyMutations[state.kind];
  const again: MoneyErrand = { ...state, tell: { say, message, tries: tries + 1 } };
  try {
    const reason = { code: "PROCESSING_ERROR", merchantMessage: message };
    const variables = say === "resolve" ? { id: state.gid } : { id: state.gid, reason };
    const { userErrors } = await desk.graphql.call(shop, say === "resolve" ? resolve : refuse, variables);
    const refused = userErrors.length > 0;
    if (refused)
      desk.log.warn("shopify.money_refused", { storeId: shop, say, kind: state.kind, reason: firstError(userErrors) });
    // It is over for Shopify, whichever way: telling it again changes nothing. Money that moved is the owner's to see.
    const isLost = refused && say === "resolve";
    return isLost ? { say: "parked", state: again, why: lostSentence(state) } : { say: "done", state: again };
  } catch (error) {
    const waitMs = MUTATION_WAITS_MS[tries];
    const why = "Shopify could not be told what became of a refund: open the app in the shop again, then try anew.";
    if (codeOf(error) === "reconnect" || waitMs === undefined) return { say: "parked", state: again, why };
    return { say: "later", state: again, dueAt: desk.clock.now() + waitMs };
  }
}

function lostSentence({ id, amount, currency }: MoneyErrand): string {
  return `The refund ${id} of ${amount} ${currency} was paid back, and Shopify no longer takes it: note it on the order by hand.`;
}
