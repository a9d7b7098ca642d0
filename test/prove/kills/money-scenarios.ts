import type { KillFixture } from "./fixture.ts";
import { RequestRejected } from "./server-process.ts";
import type { ShopActions, StartedPayment, TrackedDispute } from "./shop-actions.ts";

const HOUR = 60 * 60_000;
const XOF = "XOF";

/** Two card payments are disputed, before, between and after their refunds. One dispute is lost; the other ends without an outcome. */
export async function disputes(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const { control } = fixture.sandbox;
  const [lost, ended] = [await payByCard(actions), await payByCard(actions)];
  await refundInDashboard(fixture, lost, 1_000);
  const first = await actions.dispute(lost, lost.transactionId, 2_000);
  await untilShown(fixture, actions, first, { status: "pending" });
  // At most 2,000 are left. A person gives up a part of the disputed money.
  await refund(fixture, actions, lost, { key: "over the dispute", minor: 3_000, disputed: 2_000 });
  await actions.closeDispute(first, "lost");
  await untilShown(fixture, actions, first, { status: "closed" });
  const second = await actions.dispute(ended, ended.transactionId);
  await control.updateDispute(second.id, { reason: "fraudulent" });
  // On a busy machine a later event may arrive first, after which an older one changes nothing.
  await untilShown(fixture, actions, second, { status: "pending", reason: "fraudulent" });
  await actions.closeDispute(second, null);
  await untilShown(fixture, actions, second, { status: "closed" });
  const decision = { paymentId: ended.paymentId, disputeId: second.id, outcome: "won" } as const;
  await fixture.request("decideDispute", decision);
  await refund(fixture, actions, ended, { key: "after the dispute", minor: 5_000 });
  await actions.untilState(ended, "refunded");
  await actions.settle(HOUR);
}

/** The service ties no transaction to its session, and a stranger pays the same amount: a person says which transaction is ours. */
export async function naming(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const { control } = fixture.sandbox;
  await control.changeSettings({ narrowReads: "bare", thinEvents: "bare" });
  const order = await actions.place("read-then-write");
  const payment = await actions.requirePayment(order);
  const stranger = await sellElsewhere(fixture, actions);
  const transactionId = await actions.pay(payment, "completed", "card");
  await actions.untilState(payment, "recorded");
  await fixture.request("nameTransaction", { paymentId: payment.paymentId, transactionId });
  await refund(fixture, actions, payment, { key: "after the naming", minor: 1_000 });
  await control.createDispute({ transaction_id: stranger });
  await actions.settle(HOUR);
  const named = (await fixture.request("payment", { paymentId: payment.paymentId }))?.transactionId;
  if (named !== transactionId) throw new Error(`The person named ${transactionId}, and the ledger has ${named}.`);
}

/** An older copy replaces the ledger. It lacks one payment, the refunds of two and a dispute, and then everything is recovered. */
export async function restored(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const kept = await payByCard(actions);
  await fixture.backUpLedger();
  const forgotten = await payByCard(actions);
  const refunds = [
    { payment: kept, key: "of the kept payment", minor: 500 },
    { payment: forgotten, key: "of the forgotten payment", minor: 1_000 },
  ];
  for (const { payment, ...wanted } of refunds) await refund(fixture, actions, payment, wanted);
  const dispute = await actions.dispute(forgotten, forgotten.transactionId, 2_000);
  await untilShown(fixture, actions, dispute, { status: "pending" });
  await fixture.restoreLedger();
  const credentialId = (await fixture.request("payment", { paymentId: kept.paymentId }))?.credentialId ?? "";
  await fixture.request("recover", { credentialId, from: fixture.clock.now() - 24 * HOUR });
  await untilShown(fixture, actions, dispute, { status: "pending" });
  // The shop asks again for what it had asked for.
  for (const { payment, ...wanted } of refunds) await refund(fixture, actions, payment, wanted);
  await actions.closeDispute(dispute, "lost");
  await actions.untilState(forgotten, "recorded");
  await actions.settle(HOUR);
  await untilShown(fixture, actions, dispute, { status: "closed" });
  for (const { payment, key } of refunds) await requireOneRefund(fixture, payment, key);
}

type PaidByCard = StartedPayment & { readonly transactionId: string };

async function payByCard(actions: ShopActions): Promise<PaidByCard> {
  const payment = await actions.requirePayment(await actions.place("read-then-write"));
  const transactionId = await actions.pay(payment, "completed", "card");
  await actions.untilState(payment, "recorded");
  return { ...payment, transactionId };
}

async function refundInDashboard(
  { service }: KillFixture,
  { transactionId }: PaidByCard,
  amount: number,
): Promise<void> {
  const request = {
    transaction_id: transactionId,
    amount,
    reason: "requested_by_customer",
    refund_type: "partial",
  } as const;
  await service.refunds.create(request, { idempotencyKey: `dashboard ${transactionId}` });
}

type WantedRefund = { readonly key: string; readonly minor: number; readonly disputed?: number };

/** Clicks until the refund is completed. A click is refused while the ledger knows no transaction or too little money of it. */
async function refund(
  fixture: KillFixture,
  actions: ShopActions,
  { paymentId }: StartedPayment,
  { key, minor, disputed }: WantedRefund,
): Promise<void> {
  const confirmed = disputed === undefined ? {} : { overDispute: { minor: disputed, currency: XOF }, by: "owner" };
  const request = { paymentId, key, amount: { minor, currency: XOF }, origin: "tillkit", ...confirmed } as const;
  await actions.until(`the refund ${key} was made`, async () => {
    try {
      return (await fixture.request("refund", request)).state === "completed";
    } catch (error) {
      if (error instanceof RequestRejected) return false;
      throw error;
    }
  });
}

async function untilShown(
  fixture: KillFixture,
  actions: ShopActions,
  { id, paymentId }: TrackedDispute,
  wanted: { readonly status: string; readonly reason?: string },
): Promise<void> {
  await actions.until(`the dispute was ${Object.values(wanted).join(" and ")}`, async () => {
    const known = (await fixture.request("disputes", { paymentId })).find((dispute) => dispute.id === id);
    return known?.status === wanted.status && known.reason === (wanted.reason ?? known.reason);
  });
}

/** Another integration on the same key sells something. Returns the transaction. */
async function sellElsewhere({ service, sandbox }: KillFixture, { orders }: ShopActions): Promise<string> {
  const amount = orders[0]?.totals[0]?.total.minor ?? 0;
  const links = { success_url: "https://elsewhere.example/paid", cancel_url: "https://elsewhere.example/cancelled" };
  const { data } = await service.checkoutSessions.create(
    { amount, currency_code: XOF, title: "Elsewhere", ...links },
    { idempotencyKey: "a sale elsewhere" },
  );
  const paid = await sandbox.control.paySession(String(data.id), { method: "card", outcome: "completed" });
  return String(paid.transaction_id);
}

async function requireOneRefund({ service }: KillFixture, { transactionId }: PaidByCard, what: string): Promise<void> {
  let count = 0;
  for await (const row of service.refunds.list({ limit: 100 })) if (row.transactionId === transactionId) count += 1;
  if (count !== 1) throw new Error(`The refund ${what} was asked for twice, and ${count} were made.`);
}
