import { createServiceClient } from "@tillkit/client";
import { confirmPayment, limits, refundPayment, startCheckout, systemClock } from "@tillkit/core";
import { createTenants, type Tenants } from "@tillkit/core/hosts";
import { createSandbox } from "@tillkit/sandbox";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { expectPaymentIn, FIVE_THOUSAND, LEDGERS, MINUTE, openFixture, SECOND } from "./fixture.ts";

describe("10 · a payment on behalf of a Member Account", () => {
  it("10 · an order is paid when the Operator that opened the session reads it", async () => {
    const { fixture, account, sandbox } = await openMemberFixture();
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    expect(payment.account).toBe(account);
    await sandbox.control.paySession(payment.session?.id ?? "", { method: "wave", outcome: "completed" });
    await confirmPayment(fixture.engine(), payment.id, { actor: "webhook" });
    await expectPaymentIn(fixture, placed, "recorded");
    expect(fixture.store.probe.effects()).toHaveLength(1);
  });

  it("10 · an order is not held when the service shows the Operator nothing of its session", async () => {
    const { fixture, payment, placed } = await payForMember({ status: 404 });
    await confirmPayment(fixture.engine(), payment.id, { actor: "webhook" });
    expect((await fixture.ledger.paymentsOfOrder(placed.ref)).map(({ state }) => state)).not.toContain("review");
    expect(await fixture.store.probe.holds(placed.ref.orderId)).toEqual([]);
    expect(fixture.store.probe.effects()).toEqual([]);
  });

  it("10 · an order is held with a reason and not paid when its session belongs to another Member Account", async () => {
    const { fixture, payment, placed } = await payForMember({ patch: { network: { account: "acct_of_another" } } });
    await confirmPayment(fixture.engine(), payment.id, { actor: "webhook" });
    expect((await expectPaymentIn(fixture, placed, "review")).finding).toMatchObject({ code: "other_account" });
    expect(fixture.store.probe.effects()).toEqual([]);
  });
});

describe.each(LEDGERS)("signals and keys, with the ledger in %s", (ledger) => {
  it("11 · a refund finds the transaction when PAYMENT_SUCCEEDED was lost and the session names no transaction", async () => {
    const fixture = await openFixture("read-then-write", { ledger });
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    fixture.service.pay(payment);
    fixture.service.sessionOf(payment).overrides = { transactionId: undefined };
    await fixture.advanceTime(10 * MINUTE);
    expect(await expectPaymentIn(fixture, placed, "recorded")).toMatchObject({ transactionId: null });
    const request = { paymentId: payment.id, key: "ref_1", amount: FIVE_THOUSAND, origin: "store" } as const;
    expect(await refundPayment(fixture.engine(), request)).toMatchObject({ state: "completed" });
    const transactionId = `transaction-of-${fixture.service.sessionOf(payment).id}`;
    expect(fixture.service.refunds).toMatchObject([{ transactionId }]);
  });

  it("12 · an event without session id and metadata verifies the open payments of its credential and marks the paid order", async () => {
    const fixture = await openFixture("read-then-write", { ledger });
    const orders = [await fixture.placeOrder(), await fixture.placeOrder(), await fixture.placeOrder()];
    const payments = [];
    for (const placed of orders) payments.push(await fixture.startCheckout(placed));
    const paid = payments[1];
    if (!paid) throw new Error("Three payments must exist.");
    fixture.service.pay(paid);
    await fixture.deliver(fixture.service.event("PAYMENT_SUCCEEDED", { amount: 5_000 }));
    await fixture.run(5 * SECOND);
    expect(fixture.store.probe.effects()).toMatchObject([{ paymentId: paid.id }]);
    expect(fixture.service.calls.filter(({ operation }) => operation === "read")).toHaveLength(3);
  });

  it("12 · an event without session id and metadata costs a bounded number of reads, however many payments are open", async () => {
    const fixture = await openFixture("read-then-write", { ledger });
    for (let order = 0; order < 3 * limits.maxEventCandidates; order += 1)
      await fixture.startCheckout(await fixture.placeOrder());
    await fixture.deliver(fixture.service.event("PAYMENT_SUCCEEDED", {}));
    await fixture.run(5 * SECOND);
    expect(fixture.service.calls.filter(({ operation }) => operation === "read")).toHaveLength(
      limits.maxEventCandidates,
    );
  });

  it("13 · an unrelated event of another channel under the same key is answered 200, counted and changes nothing", async () => {
    const fixture = await openFixture("read-then-write", { ledger });
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    const unrelated = { checkout_session_id: "a session of somebody else", metadata: { order_id: placed.ref.orderId } };
    const answer = await fixture.deliver(fixture.service.event("PAYMENT_SUCCEEDED", unrelated));
    await fixture.run(MINUTE);
    expect(answer.status).toBe(200);
    expect(fixture.log.filter(({ message }) => message === "webhook.ignored")).toMatchObject([
      { fields: { endpointId: "main", outcome: "unrelated" } },
    ]);
    expect(fixture.service.calls.map(({ operation }) => operation)).toEqual(["open"]);
    expect(await fixture.payment(payment.id)).toEqual(payment);
  });

  it("14 · the stored request body is repeated byte for byte when the process crashed after the POST and the title and return URL changed", async () => {
    const fixture = await openFixture("read-then-write", { ledger });
    const placed = await fixture.placeOrder();
    const order = await fixture.store.adapter.findOrder(placed.ref, placed.attempt);
    if (!order) throw new Error("The order must exist.");
    fixture.service.loseAnswers.push("silence");
    void startCheckout(fixture.engine(), order);
    await fixture.clock.advance(SECOND);
    fixture.crash({ origin: "https://new-address.example" });

    const start = await startCheckout(fixture.engine(), { ...order, title: "Renamed meanwhile" });
    const [first, second, ...more] = fixture.service.posts;
    expect(start).toMatchObject({ status: "redirect", url: "https://pay.service.example/session-1" });
    expect(second).toEqual(first);
    expect(second?.request).toContain("Two baskets");
    expect(more).toEqual([]);
    expect(fixture.service.sessions).toHaveLength(1);
  });
});

/** Pays a session of a Member Account. The service then answers the Operator's reads of the session with `answer`. */
async function payForMember(answer: { status: 404 } | { patch: Record<string, unknown> }) {
  const { fixture, sandbox } = await openMemberFixture();
  const placed = await fixture.placeOrder();
  const payment = await fixture.startCheckout(placed);
  const { id } = payment.session ?? { id: "" };
  await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
  await sandbox.control.addFault({ method: "GET", path: `/checkout-sessions/${id}`, times: 100, ...answer });
  return { fixture, placed, payment };
}

async function openMemberFixture() {
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
    // The bound of a request is a time of this clock.
    createClient: (options) => createServiceClient({ ...options, clock: { ...systemClock, now: clock.now } }),
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
  const fixture = await openFixture("read-then-write", { connectService: () => service, account: member.account });
  return { fixture, sandbox, account: member.account };
}
