import { codeOf, type Money, type Payment, parseMoney, type Refund, refundPayment, syncRefunds } from "@tillkit/core";
import type { OutboxTask, TaskResult } from "@tillkit/runtime";
import type { Desk } from "../app/desk.ts";
import { firstError, type UserErrors } from "../graphql/operation.ts";
import { type MoneySessionKind, moneyMutations } from "../graphql/payments-operations.ts";
import { MUTATION_WAITS_MS, shopifyLimits } from "../limits.ts";
import { paymentToRefund } from "../shop/payment-to-refund.ts";
import { isFinalRefusal, type MoneyRefusal, moneyWords } from "./money-words.ts";

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

type Tell =
  | { readonly say: "resolve"; readonly tries: number }
  | { readonly say: "reject"; readonly why: MoneyRefusal; readonly tries: number };

type MoneyDesk = Pick<Desk, "engine" | "ledger" | "sessions" | "shops" | "graphql" | "clock" | "log">;

type End = TaskResult<MoneyErrand>;

/** One go: finds out what became of it as far as can be known now, and tells Shopify when it is final. */
export async function runMoneyErrand(desk: MoneyDesk, { storeId: shop, state }: OutboxTask<MoneyErrand>): Promise<End> {
  if (state.tell) return await tell(desk, shop, state, state.tell);
  const found = await decide(desk, shop, state);
  if ("tell" in found) return { status: "later", state: { ...state, tell: found.tell }, dueAt: desk.clock.now() };
  return { status: "later", ...found };
}

type Decision = { readonly tell: Tell } | { readonly state: MoneyErrand; readonly dueAt: number };

async function decide(desk: MoneyDesk, shop: string, state: MoneyErrand): Promise<Decision> {
  if (state.kind !== "refund") return reject("no_authorization");
  const amount = exact(state);
  const key = `shopify-refund:${state.id}`;
  const payment = await paymentOf(desk, shop, state, key);
  if (!amount || !payment) return reject("not_known");
  try {
    const wish = { paymentId: payment.id, key, amount, origin: "store", reusesKeys: true } as const;
    const refund = await refundPayment(desk.engine, wish);
    return await follow(desk, state, refund);
  } catch (error) {
    const code = codeOf(error);
    // An earlier one is without an answer. Shopify's two requests are two refunds: this one has its turn after it.
    if (code === "refund_in_doubt") return { state, dueAt: desk.clock.now() + shopifyLimits.refundLookMs };
    if (!isFinalRefusal(code)) throw error;
    return reject(code);
  }
}

/** Shopify is told only what was read from the service. */
async function follow({ engine, clock }: MoneyDesk, state: MoneyErrand, refund: Refund): Promise<Decision> {
  if (refund.state === "completed") return { tell: { say: "resolve", tries: 0 } };
  if (refund.state === "failed") return reject("service_failed");
  const now = clock.now();
  const asked = { ...state, askedAt: state.askedAt ?? now, readAt: state.readAt ?? now };
  if (now < readAgainAt(asked.askedAt, asked.readAt)) return { state: asked, dueAt: now + shopifyLimits.refundLookMs };
  await syncRefunds(engine, refund.paymentId);
  return { state: { ...asked, readAt: now }, dueAt: now };
}

function readAgainAt(askedAt: number, readAt: number): number {
  const next = shopifyLimits.refundReadsMs.map((ms) => askedAt + ms).find((at) => at > readAt);
  return next ?? readAt + shopifyLimits.refundReadEveryMs;
}

// A second payment of the same group, or of the same session, is given back by other means.
async function paymentOf(
  { sessions, ledger }: MoneyDesk,
  shop: string,
  state: MoneyErrand,
  key: string,
): Promise<Payment | null> {
  const session = await sessions.find(shop, `gid://shopify/PaymentSession/${state.paymentId}`);
  if (!session || session.test !== state.test) return null;
  const payments = await ledger.siblings({ storeId: shop, orderId: session.group });
  const ofSession = payments.filter(({ attempt }) => attempt === session.gid);
  return await paymentToRefund(ledger, ofSession, key);
}

function exact({ amount, currency }: MoneyErrand): Money | null {
  try {
    return amount === null || currency === null ? null : parseMoney(amount, currency);
  } catch {
    return null;
  }
}

function reject(why: MoneyRefusal): { readonly tell: Tell } {
  return { tell: { say: "reject", why, tries: 0 } };
}

async function tell(desk: MoneyDesk, shop: string, state: MoneyErrand, told: Tell): Promise<End> {
  const again: MoneyErrand = { ...state, tell: { ...told, tries: told.tries + 1 } };
  try {
    const userErrors = await send(desk, shop, state, told);
    if (userErrors.length === 0) return { status: "done", state: again };
    const reason = firstError(userErrors);
    desk.log.warn("shopify.money_refused", { storeId: shop, say: told.say, kind: state.kind, reason });
    // It is over for Shopify, whichever way: telling it again changes nothing. Money that moved is the owner's to see.
    return told.say === "reject"
      ? { status: "done", state: again }
      : { status: "dead", state: again, reason: "refund_lost" };
  } catch (error) {
    const waitMs = MUTATION_WAITS_MS[told.tries];
    const isOver = codeOf(error) === "reconnect" || waitMs === undefined;
    if (isOver) return { status: "dead", state: again, reason: "not_told" };
    return { status: "later", state: again, dueAt: desk.clock.now() + waitMs };
  }
}

async function send(
  { graphql, shops }: MoneyDesk,
  shop: string,
  { kind, gid }: MoneyErrand,
  told: Tell,
): Promise<UserErrors> {
  const { resolve, reject: refuse } = moneyMutations[kind];
  if (told.say === "resolve") return (await graphql.call(shop, resolve, { id: gid })).userErrors;
  const merchantMessage = moneyWords(told.why, await shops.languageOf(shop));
  const reason = { code: "PROCESSING_ERROR", merchantMessage };
  return (await graphql.call(shop, refuse, { id: gid, reason })).userErrors;
}
