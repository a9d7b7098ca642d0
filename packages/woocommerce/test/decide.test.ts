import { explainUnknownPayment } from "@tillkit/core/back-office";
import type { ShopOrder } from "@tillkit/fake-woocommerce";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { loseRefundAnswers, payOrderTwice, refundedAtService } from "./money-steps.ts";
import type { CallResult, ServerFixture } from "./server-fixture.ts";
import { openServerFixture } from "./server-fixture.ts";

describe("accepting in the order box", () => {
  it("a held payment that the owner accepts pays the order, and the timeline names the role and no person", async () => {
    const { fixture, order } = await openHeldOrder();
    const result = await decide(fixture, order, { decision: "accept" });
    expect(result).toMatchObject({ status: 200, body: { attention: false, reasons: [] } });
    expect(JSON.stringify(result.body.timeline)).toContain("shop_manager #7");
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(fixture.fake.shop.order(order.id)).toMatchObject({ status: "processing", meta: { _tillkit_decision: "" } });
    expect(fixture.fake.shop.effects).toHaveLength(1);
  });

  it("an order whose payment was refunded in part before the owner accepted it shows that refund once", async () => {
    const { fixture, order } = await openHeldOrder();
    await decide(fixture, order, await refundInput(fixture, order, "1500"));
    const { id: paymentId } = await fixture.payment(order.id);
    // An acceptance while the shop is written waits for a later job, longer than this test.
    await waitFor(async () => {
      const { rows } = await fixture.ledger.listJobs({ paymentId, limit: 20 });
      expect(rows.filter(({ kind, dueAt }) => kind === "refund" && dueAt <= Date.now())).toEqual([]);
    });
    const notes = () => fixture.fake.shop.notes(order.id).join();
    await waitFor(() => expect(notes()).toContain("du paiement qui ne correspondait pas"));
    expect(fixture.fake.shop.refunds(order.id)).toEqual([]);
    expect(await decide(fixture, order, { decision: "accept" })).toMatchObject({ status: 200 });
    const amounts = () => fixture.fake.shop.refunds(order.id).map(({ amount }) => Number(amount));
    await waitFor(() => expect(amounts()).toEqual([1_500]));
    await fixture.call("check", { order: String(order.id), key: order.key });
    expect(amounts()).toEqual([1_500]);
    expect(fixture.fake.shop.order(order.id)?.status).toBe("processing");
    expect(await refundedAtService(fixture)).toBe(1_500);
  });

  it("the form names what is missing of the order's total, which was raised while its shopper was paying", async () => {
    const { fixture, order } = await openHeldOrder();
    expect(await payments(fixture, order)).toMatchObject([
      { decision: { missing: { minor: 1_000, currency: "XOF" } } },
    ]);
  });

  it("the form names nothing as missing of a total that was lowered", async () => {
    const { fixture, order } = await openHeldOrder({ total: "4000" });
    expect(await payments(fixture, order)).toMatchObject([{ decision: { missing: null } }]);
  });

  it("an acceptance of a difference that has changed since is refused, and nothing is paid", async () => {
    const { fixture, order } = await openHeldOrder();
    const seen = (await payments(fixture, order))[0]?.decision?.seen ?? "";
    fixture.fake.shop.edit(order.id, { total: "7000" });
    await fixture.call("check", { order: String(order.id), key: order.key });
    const result = await decide(fixture, order, { decision: "accept", seen });
    expect(result).toMatchObject({ status: 409, body: { code: "tillkit_decision_outdated" } });
    expect((await fixture.payment(order.id)).state).toBe("review");
    expect(fixture.fake.shop.effects).toEqual([]);
  });

  it("a payment for a cancelled order offers no acceptance, because its owner must reopen the order first", async () => {
    const { fixture, order } = await openHeldOrder({ status: "cancelled" });
    expect(await payments(fixture, order)).toMatchObject([{ decision: { accept: false, accept_by_status: true } }]);
    const result = await decide(fixture, order, { decision: "accept" });
    expect(result).toMatchObject({ status: 409, body: { code: "tillkit_decision_refused" } });
    expect(fixture.fake.shop.order(order.id)?.status).toBe("cancelled");
  });
});

describe("refunding in the order box", () => {
  it("a held payment is refunded once, however often the owner clicks", async () => {
    const { fixture, order } = await openHeldOrder();
    const input = await refundInput(fixture, order, "5000");
    const results = await Promise.all([1, 2, 3].map(() => decide(fixture, order, input)));
    for (const { status } of results) expect([200, 503]).toContain(status);
    expect(await decide(fixture, order, input)).toMatchObject({ status: 200 });
    expect(await refundedAtService(fixture)).toBe(5_000);
    await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision).toBe(""));
    expect(fixture.fake.shop.notes(order.id).join()).toContain("du paiement qui ne correspondait pas");
    expect(fixture.fake.shop.order(order.id)?.status).toBe("on-hold");
  });

  it("a part of a held payment can be refunded, and what remains still waits for a decision", async () => {
    const { fixture, order } = await openHeldOrder();
    await decide(fixture, order, await refundInput(fixture, order, "1500"));
    expect(await payments(fixture, order)).toMatchObject([
      { state: "review", decision: { refundable: { minor: 3_500 } } },
    ]);
    await decide(fixture, order, await refundInput(fixture, order, "1500"));
    expect(await refundedAtService(fixture)).toBe(3_000);
    expect(await decide(fixture, order, await refundInput(fixture, order, "5000"))).toMatchObject({ status: 409 });
    expect(await refundedAtService(fixture)).toBe(3_000);
  });

  it("a refund whose answer was lost is made once, although the owner clicks again", async () => {
    const { fixture, order } = await openHeldOrder();
    await loseRefundAnswers(fixture);
    const input = await refundInput(fixture, order, "1500");
    await decide(fixture, order, input);
    await fixture.sandbox.control.clearFaults();
    await decide(fixture, order, input);
    expect(await refundedAtService(fixture)).toBe(1_500);
  });

  it("a duplicate is refunded with its transaction, and the order stays paid", async () => {
    const { fixture, order } = await openTwicePaidOrder();
    const [, duplicate] = await payments(fixture, order);
    expect(duplicate).toMatchObject({ state: "duplicate", transaction: expect.stringMatching(/./) });
    expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision).toBe("duplicate");
    const input = { ...(await refundInput(fixture, order, "6000")), reason: "duplicate" };
    expect(await decide(fixture, order, input)).toMatchObject({ status: 200, body: { reasons: [] } });
    expect(await refundedAtService(fixture)).toBe(6_000);
    expect(fixture.fake.shop.order(order.id)?.status).toBe("processing");
    await waitFor(() => expect(fixture.fake.shop.notes(order.id).at(-1)).toContain("La commande reste payée"));
  });
});

describe("two people who decide about the same view at once", () => {
  it("two different refunds of one view send only one of them", async () => {
    const { fixture, order } = await openHeldOrder();
    const inputs = [await refundInput(fixture, order, "1500"), await refundInput(fixture, order, "2000")];
    const results = await Promise.all(inputs.map((input) => decide(fixture, order, input)));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(results.find(({ status }) => status === 409)?.body.code).toBe("tillkit_decision_outdated");
    expect([1_500, 2_000]).toContain(await refundedAtService(fixture));
  });

  it("a refund of a part and an acceptance of one view are not both done", async () => {
    const { fixture, order } = await openHeldOrder();
    const input = await refundInput(fixture, order, "1500");
    const [refunded, accepted] = await Promise.all([
      decide(fixture, order, input),
      decide(fixture, order, { decision: "accept", seen: input.seen }),
    ]);
    expect([refunded?.status, accepted?.status].filter((status) => status === 200)).toHaveLength(1);
    expect(await refundedAtService(fixture)).toBe(refunded?.status === 200 ? 1_500 : 0);
    // The refused refund has read its transaction at the same moment, so a job of the acceptance may write the order, 20 s later.
    const effects = accepted?.status === 200 ? 1 : 0;
    await waitFor(() => expect(fixture.fake.shop.effects).toHaveLength(effects));
  });

  it("an acceptance of the view before a refund is refused while the service makes the refund", async () => {
    const { fixture, order } = await openHeldOrder();
    const input = await refundInput(fixture, order, "1500");
    await fixture.sandbox.control.addFault({ method: "POST", path: "/refunds", delayMs: 1_000, times: 1 });
    const refund = decide(fixture, order, input);
    const { id } = await fixture.payment(order.id);
    await waitFor(async () => expect(await fixture.ledger.refunds(id)).toHaveLength(1));
    const accepted = await decide(fixture, order, { decision: "accept", seen: input.seen });
    expect(accepted).toMatchObject({ status: 409, body: { code: "tillkit_decision_outdated" } });
    expect((await refund).status).toBe(200);
    expect(fixture.fake.shop.effects).toEqual([]);
  });
});

describe("decisions that are refused", () => {
  it("a held payment cannot be accepted for an order that another payment has paid by now", async () => {
    const fixture = await openServerFixture();
    const { order, payment: first } = await fixture.openOrder();
    fixture.fake.shop.edit(order.id, { total: "6000" });
    await fixture.follow(order);
    fixture.fake.shop.edit(order.id, { total: "7000" });
    await fixture.pay(await fixture.payment(order.id));
    await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision).toBe("held"));
    fixture.fake.shop.edit(order.id, { total: "5000" });
    await fixture.pay(first);
    await waitFor(async () => expect((await fixture.payments(order.id))[0]?.state).toBe("recorded"));
    expect((await fixture.payment(order.id)).state).toBe("review");
    const refused = await decide(fixture, order, { decision: "accept" });
    expect(refused).toMatchObject({ status: 409, body: { code: "tillkit_decision_refused" } });
    expect(fixture.fake.shop.effects).toHaveLength(1);
  });

  it("a payment that paid its order cannot be accepted or refunded as if it were held", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(await payments(fixture, order)).toMatchObject([{ decision: null }]);
    const money = { amount: "5000", currency: "XOF", reason: "duplicate" };
    for (const input of [{ decision: "accept" }, { decision: "refund", ...money }]) {
      expect(await decide(fixture, order, { ...input, seen: "0".repeat(32) })).toMatchObject({ status: 409 });
    }
    expect(await refundedAtService(fixture)).toBe(0);
  });

  it.each([
    ["an e-mail address as the person", { by: "awa@shop.example" }, 400],
    ["a free text as the reason", { reason: "Awa called" }, 400],
    ["a fraction of a franc", { amount: "10.50" }, 422],
    ["another currency", { currency: "EUR" }, 409],
    ["the order key of a copy of the shop", { key: "wc_order_of_the_copy" }, 404],
    ["the payment of another order", { payment: "00000000-0000-4000-8000-000000000000" }, 404],
  ])("a refund with %s is refused", async (_, change, status) => {
    const { fixture, order } = await openHeldOrder();
    const input = await refundInput(fixture, order, "1500");
    expect((await decide(fixture, order, { ...input, ...change })).status).toBe(status);
    expect(await refundedAtService(fixture)).toBe(0);
  });
});

it("a decision about a payment that is not there is answered in the words of every other platform", async () => {
  const { fixture, order } = await openHeldOrder();
  const result = await decide(fixture, order, { decision: "accept", payment: "00000000-0000-4000-8000-000000000000" });
  const { message } = result.body as { message: string };
  expect([result.status, message]).toEqual([404, explainUnknownPayment("fr")]);
});

describe("orders whose money waits for a decision", () => {
  it.each([
    ["cancelled", "closed"],
    ["trash", "closed"],
  ])("an order that was paid while it was in the status %s is marked as %s", async (status, reason) => {
    const { fixture, order } = await openHeldOrder({ status });
    expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision).toBe(reason);
  });

  it("an order whose completed payment has no amount is marked, and its box names what nobody can decide yet", async () => {
    const fixture = await openServerFixture();
    const { order, payment } = await fixture.openOrder();
    const fault = { method: "GET", path: "/checkout-sessions/{id}", patch: { amount: null }, times: 1_000 } as const;
    await fixture.sandbox.control.addFault(fault);
    await fixture.pay(payment);
    await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision).toBe("held"));
    const shown = { state: "review", received: null, decision: { accept: false, refundable: null } };
    expect(await payments(fixture, order)).toMatchObject([shown]);
  });

  it("an order whose payment is refunded automatically is not marked", async () => {
    const fixture = await openServerFixture({ config: { autoRefund: ["order_not_payable"] } });
    const { order, payment } = await fixture.openOrder();
    fixture.fake.shop.edit(order.id, { status: "cancelled" });
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("refunded"));
    await waitFor(() => expect(fixture.fake.shop.notes(order.id).at(-1)).toContain("en ont été remboursés"));
    expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision ?? "").toBe("");
  });
});

type ShownPayment = {
  readonly payment: string;
  readonly state: string;
  readonly decision: { readonly seen: string } | null;
};

async function payments(fixture: ServerFixture, order: ShopOrder): Promise<readonly ShownPayment[]> {
  const { body } = await fixture.call("status", { order: String(order.id), key: order.key });
  return body.payments as readonly ShownPayment[];
}

/** Decides about the newest payment as the shop manager, who saw what the checkout server shows now. */
async function decide(fixture: ServerFixture, order: ShopOrder, input: object): Promise<CallResult> {
  const newest = (await payments(fixture, order)).at(-1);
  const fields = { order: String(order.id), key: order.key, by: "shop_manager #7", payment: newest?.payment };
  return await fixture.call("decide", { ...fields, seen: newest?.decision?.seen, ...input });
}

async function refundInput(fixture: ServerFixture, order: ShopOrder, amount: string) {
  const seen = (await payments(fixture, order)).at(-1)?.decision?.seen;
  return { decision: "refund", seen, amount, currency: "XOF", reason: "requested_by_customer" };
}

/** An order that changed while its shopper was paying, by default from 5,000 to 6,000 francs. */
async function openHeldOrder(change: object = { total: "6000" }) {
  const fixture = await openServerFixture();
  const { order, payment } = await fixture.openOrder();
  fixture.fake.shop.edit(order.id, change);
  await fixture.pay(payment);
  await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision).toMatch(/held|closed/));
  return { fixture, order };
}

async function openTwicePaidOrder() {
  const fixture = await openServerFixture();
  const { order } = await payOrderTwice(fixture);
  await waitFor(() => expect(fixture.fake.shop.order(order.id)?.meta._tillkit_decision).toBe("duplicate"));
  return { fixture, order };
}
