import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { safeText } from "../domain/safe-text.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import type { OperatorActs } from "../ports/operator-acts.ts";
import { syncRefunds } from "../refunds/sync-refunds.ts";
import { resolveWithin } from "../resilience/timers.ts";
import type { Host, HostFacts, Person, View } from "./decision.ts";
import { viewOf } from "./offers.ts";

/** Where people decide about payments: pages, an admin API, a command. `host`: absent where nothing but the ledger is known. */
export type BackOffice = {
  readonly engine: Engine;
  readonly acts: Pick<OperatorActs, "recordAct">;
  readonly host?: Host;
};

/** A back office in which also the payments of paid orders are refunded, because it is no part of a shop. */
export const NO_HOST: HostFacts = { seen: [], refundsPaid: true, failedRefunds: [] };

/** A shop whose own page of the order refunds a payment that pays it, and shows a refund that failed as failed. */
export const SHOP_REFUNDS: Host = { facts: async () => ({ seen: [], refundsPaid: false, failedRefunds: [] }) };

/**
 * The name under which a person decides, as it may stay in the timeline for ever. Null: it is empty or too long, or looks like an e-mail address, a
 * phone number or a key.
 */
export function personName(text: string | undefined): string | null {
  const name = (text ?? "").trim().replace(/\s+/g, " ");
  return name !== "" && name.length <= limits.maxPersonNameLength && safeText(name) === name ? name : null;
}

/** Null: there is no such payment, or it belongs to a store that this person does not see. */
export async function findPaymentOf(
  { engine }: Pick<BackOffice, "engine">,
  paymentId: string,
  { storeId }: Pick<Person, "storeId">,
): Promise<Payment | null> {
  const payment = await engine.ledger.find({ id: paymentId });
  return payment && (storeId === null || payment.ref.storeId === storeId) ? payment : null;
}

/** What the ledger and the shop show of a payment now, with everything that a person may decide about it. */
export async function viewPayment(
  { engine, host }: { readonly engine: Pick<Engine, "ledger" | "clock">; readonly host?: Host },
  payment: Payment,
): Promise<View> {
  const [movements, facts] = await Promise.all([
    gatherMovements(engine.ledger, payment.id),
    host === undefined ? NO_HOST : host.facts(payment),
  ]);
  return viewOf(payment, movements, facts, engine.clock.now());
}

/**
 * The same after the service's refunds were read, because a refund of its dashboard may never have been reported. While the service does not
 * answer, the view shows what the ledger holds.
 */
export async function viewPaymentAnew(office: BackOffice, payment: Payment): Promise<View> {
  const { engine } = office;
  const reading = syncRefunds(engine, payment.id).catch((error: unknown) => {
    engine.log.info("back_office.refunds_unread", { paymentId: payment.id, code: codeOf(error) });
  });
  await resolveWithin(engine.clock, limits.viewReadMs, reading);
  return await viewPayment(office, (await engine.ledger.find({ id: payment.id })) ?? payment);
}
