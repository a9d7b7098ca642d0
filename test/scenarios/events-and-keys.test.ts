import { confirmPayment, createTenants, limits, refundPayment, startCheckout, type Tenants } from "@tillkit/core";
import { createSandbox } from "@tillkit/sandbox";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { FIVE_THOUSAND, LEDGERS, MINUTE, openScene, paymentIn, SECOND } from "./scene.ts";

describe("10 · a payment on behalf of a Member Account", () => {
  it("10 · the Operator that opened the session reads it, and the order is paid", async () => {
    const { scene, account, sandbox } = await memberScene();
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    expect(payment.account).toBe(account);
    await sandbox.control.paySession(payment.session?.id ?? "", { method: "wave", outcome: "completed" });
    await confirmPayment(scene.engine(), payment.id, { actor: "webhook" });
    await paymentIn(scene, placed, "recorded");
    expect(scene.store.probe.effects()).toHaveLength(1);
  });

  it("10 · when the service shows the Operator nothing of it, nobody is told that money arrived", async () => {
    const { scene, payment, placed } = await paidForMember({ status: 404 });
    await confirmPayment(scene.engine(), payment.id, { actor: "webhook" });
    expect((await scene.ledger.siblings(placed.ref)).map(({ state }) => state)).not.toContain("review");
    expect(await scene.store.probe.holds(placed.ref.orderId)).toEqual([]);
    expect(scene.store.probe.effects()).toEqual([]);
  });

  it("10 · when it belongs to another Member Account, the order is held with the reason, never paid", async () => {
    const { scene, payment, placed } = await paidForMember({ patch: { network: { account: "acct_of_another" } } });
    await confirmPayment(scene.engine(), payment.id, { actor: "webhook" });
    expect((await paymentIn(scene, placed, "review")).finding).toMatchObject({ code: "other_account" });
    expect(scene.store.probe.effects()).toEqual([]);
  });
});

describe.each(LEDGERS)("signals and keys, with the ledger in %s", (ledger) => {
  it("11 · PAYMENT_SUCCEEDED was lost and the reading names no transaction: a refund finds it", async () => {
    const scene = await openScene("read-then-write", { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    scene.service.pay(payment);
    scene.service.sessionOf(payment).lies = { transactionId: undefined };
    await scene.pass(10 * MINUTE);
    expect(await paymentIn(scene, placed, "recorded")).toMatchObject({ transactionId: null });
    const wish = { paymentId: payment.id, key: "ref_1", amount: FIVE_THOUSAND, origin: "store" } as const;
    expect(await refundPayment(scene.engine(), wish)).toMatchObject({ state: "completed" });
    const transactionId = `transaction of ${scene.service.sessionOf(payment).id}`;
    expect(scene.service.refunds).toMatchObject([{ transactionId }]);
  });

  it("12 · an event without session id and metadata: the open payments of its credential are looked at, the paid one is marked", async () => {
    const scene = await openScene("read-then-write", { ledger });
    const orders = [await scene.placeOrder(), await scene.placeOrder(), await scene.placeOrder()];
    const payments = [];
    for (const placed of orders) payments.push(await scene.pressPay(placed));
    const paid = payments[1];
    if (!paid) throw new Error("Three payments were begun.");
    scene.service.pay(paid);
    await scene.deliver(scene.service.event("PAYMENT_SUCCEEDED", { amount: 5_000 }));
    await scene.run(5 * SECOND);
    expect(scene.store.probe.effects()).toMatchObject([{ paymentId: paid.id }]);
    expect(scene.service.calls.filter(({ what }) => what === "read")).toHaveLength(3);
  });

  it("12 · however many payments are open, such an event costs a bounded number of reads", async () => {
    const scene = await openScene("read-then-write", { ledger });
    for (let order = 0; order < 3 * limits.thinEventReads; order += 1) await scene.pressPay(await scene.placeOrder());
    await scene.deliver(scene.service.event("PAYMENT_SUCCEEDED", {}));
    await scene.run(5 * SECOND);
    expect(scene.service.calls.filter(({ what }) => what === "read")).toHaveLength(limits.thinEventReads);
  });

  it("13 · an event of a foreign channel on the same key is answered 200 and counted, and touches nothing", async () => {
    const scene = await openScene("read-then-write", { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    const foreign = { checkout_session_id: "a session of somebody else", metadata: { order_id: placed.ref.orderId } };
    const answer = await scene.deliver(scene.service.event("PAYMENT_SUCCEEDED", foreign));
    await scene.run(MINUTE);
    expect(answer.status).toBe(200);
    expect(scene.log.filter(({ message }) => message === "webhook.ignored")).toMatchObject([
      { fields: { endpointId: "main", outcome: "unrelated" } },
    ]);
    expect(scene.service.calls.map(({ what }) => what)).toEqual(["open"]);
    expect(await scene.payment(payment.id)).toEqual(payment);
  });

  it("14 · crash after the POST, title and return address changed, retry: the stored body is repeated byte for byte", async () => {
    const scene = await openScene("read-then-write", { ledger });
    const placed = await scene.placeOrder();
    const order = await scene.store.adapter.findOrder(placed.ref, placed.attempt);
    if (!order) throw new Error("The order was placed.");
    scene.service.loseAnswers.push("silence");
    void startCheckout(scene.engine(), order);
    await scene.clock.advance(SECOND);
    scene.kill({ origin: "https://new-address.example" });

    const start = await startCheckout(scene.engine(), { ...order, title: "Renamed meanwhile" });
    const [first, second, ...more] = scene.service.posts;
    expect(start).toMatchObject({ say: "redirect", url: "https://pay.service.example/session-1" });
    expect(second).toEqual(first);
    expect(second?.request).toContain("Two baskets");
    expect(more).toEqual([]);
    expect(scene.service.sessions).toHaveLength(1);
  });
});

/** A session of a Member Account that was paid, and that the Operator reads in this way. */
async function paidForMember(answer: { status: 404 } | { patch: Record<string, unknown> }) {
  const { scene, sandbox } = await memberScene();
  const placed = await scene.placeOrder();
  const payment = await scene.pressPay(placed);
  const { id } = payment.session ?? { id: "" };
  await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
  await sandbox.control.addFault({ method: "GET", path: `/checkout-sessions/${id}`, times: 100, ...answer });
  return { scene, placed, payment };
}

async function memberScene() {
  const clock = createManualClock();
  const sandbox = await createSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const operator = await control.createOperator({ name: "Operator", status: "active" });
  const member = await control.createMember({ name: "Member", status: "active" });
  const capabilities = { test: ["payment.create", "transaction.read_own", "refund.create"], live: [] };
  await control.createMembership({
    operator_id: operator.operator_id,
    account: member.account,
    status: "active",
    capabilities,
  } as Parameters<typeof control.createMembership>[0]);
  const tenants: Tenants = createTenants({
    clock,
    credentials: [
      {
        id: "key",
        storeIds: ["read-then-write-shop"],
        apiKey: operator.keys.test.secret,
        baseUrl: sandbox.baseUrl,
        account: member.account,
        endpointId: "main",
        webhookSecrets: ["whsec_not_used"],
      },
    ],
  });
  const service = await tenants.service("key");
  const scene = await openScene("read-then-write", { reach: () => service, account: member.account });
  return { scene, sandbox, account: member.account };
}
