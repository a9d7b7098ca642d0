import { acceptReview, findingKey, money } from "@tillkit/core";
import type { ModificationSession, PaymentSession } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, HOUR, MINUTE, openFixture, SECOND, TOTAL } from "./fixture.ts";

const xof = (minor: number) => money(minor, "XOF");

async function openPaid(): Promise<{ readonly fixture: Fixture; readonly session: PaymentSession }> {
  const fixture = await openFixture();
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  await fixture.pay(await fixture.visit(session));
  await fixture.until(async () => (await fixture.payment(session)).state === "recorded");
  return { fixture, session };
}

/** All refunds at the service, newest first. */
async function refundsAt(
  fixture: Fixture,
): Promise<readonly { readonly amount: number; readonly refund_id: string }[]> {
  const response = await fetch(`${fixture.sandbox.baseUrl}/v1/refunds`, {
    headers: { Authorization: `Bearer ${fixture.sandbox.keys.test.secret}` },
  });
  const { data } = (await response.json()) as { readonly data: readonly { amount: number; refund_id: string }[] };
  return data;
}

async function finalState(fixture: Fixture, refund: ModificationSession): Promise<ModificationSession["state"]> {
  await fixture.advanceTime(2 * MINUTE, { longestStepMs: 5 * SECOND });
  return refund.state;
}

test("a refund is resolved in Shopify when the service has paid it", async () => {
  const { fixture, session } = await openPaid();
  const { session: refund, answer } = await fixture.shop.requestRefund(session, xof(5_000));
  expect(answer).toMatchObject({ status: 201, text: "{}\n" });
  // The page of the payment shows the job.
  const { id: paymentId } = await fixture.payment(session);
  const { rows } = await fixture.ledger.listJobs({ paymentId, kind: "shopify.modification", limit: 9 });
  expect(rows).toMatchObject([{ storeId: fixture.shop.domain, attempts: 0 }]);
  expect(await finalState(fixture, refund)).toBe("resolved");
  expect((await refundsAt(fixture)).map(({ amount }) => amount)).toEqual([5_000]);
});

test("a refund that is posted twenty times is paid once", async () => {
  const { fixture, session } = await openPaid();
  const { session: refund } = await fixture.shop.requestRefund(session, TOTAL);
  await Promise.all(Array.from({ length: 20 }, () => fixture.shop.postModification(refund)));
  expect(await finalState(fixture, refund)).toBe("resolved");
  const answers = await Promise.all(Array.from({ length: 5 }, () => fixture.shop.postModification(refund)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  await fixture.advanceTime(2 * MINUTE);
  expect(await refundsAt(fixture)).toHaveLength(1);
  expect(fixture.shop.record.effectsOf("refunded")).toHaveLength(1);
});

test("partial refunds add up to the payment, and a refund beyond it is rejected", async () => {
  const { fixture, session } = await openPaid();
  const parts = [xof(5_000), xof(5_000), xof(2_500)];
  for (const part of parts) {
    const { session: refund } = await fixture.shop.requestRefund(session, part);
    expect(await finalState(fixture, refund)).toBe("resolved");
  }
  const { session: tooMuch } = await fixture.shop.requestRefund(session, xof(1));
  expect(await finalState(fixture, tooMuch)).toBe("rejected");
  expect(tooMuch.rejection?.merchantMessage).toMatch(/rembours/i);
  expect((await refundsAt(fixture)).map(({ amount }) => amount).sort()).toEqual([2_500, 5_000, 5_000]);
});

test("three partial refunds at the same moment are three refunds", async () => {
  const { fixture, session } = await openPaid();
  const posted = await Promise.all([1, 2, 3].map(() => fixture.shop.requestRefund(session, xof(4_000))));
  await fixture.advanceTime(5 * MINUTE, { longestStepMs: 5 * SECOND });
  expect(posted.map(({ session: refund }) => refund.state)).toEqual(["resolved", "resolved", "resolved"]);
  expect(await refundsAt(fixture)).toHaveLength(3);
});

test("a refund of more than was paid is rejected, and nothing is refunded", async () => {
  const { fixture, session } = await openPaid();
  const { session: refund } = await fixture.shop.requestRefund(session, xof(12_501));
  expect(await finalState(fixture, refund)).toBe("rejected");
  expect(await refundsAt(fixture)).toEqual([]);
});

test("a refund over a dispute is rejected with the sums and the page on which a person decides, and no money goes", async () => {
  const { fixture, session } = await openPaid();
  const page = "https://pay.example/operators/payments/1";
  Object.assign(fixture.app.checkout.engine, { decisionUrl: () => page });
  const { id: paymentId, transactionId } = await fixture.payment(session);
  const now = fixture.clock.now();
  const facts = { reason: "fraudulent", outcome: null, evidenceDueBy: null, openedAt: now, updatedAt: now };
  const dispute = {
    id: "dispute-1",
    paymentId,
    transactionId,
    amount: xof(10_000),
    status: "pending",
    ...facts,
  } as const;
  await fixture.ledger.commit({ disputes: [dispute], timeline: [] });
  const { session: refund } = await fixture.shop.requestRefund(session, xof(5_000));
  expect(await finalState(fixture, refund)).toBe("rejected");
  expect(refund.rejection?.merchantMessage).toMatch(/10.000.*contestés.*Décidez ici/);
  expect(refund.rejection?.merchantMessage).toContain(page);
  expect(await refundsAt(fixture)).toEqual([]);
});

test("a refund of the whole payment sends back all that arrived when the owner accepted less", async () => {
  const fixture = await openFixture();
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  const less = { method: "GET", times: 1_000, when: "after" } as const;
  const arrived = { "/checkout-sessions/{id}": { amount: 12_000 }, "/transactions/{id}": { gross_amount: 12_000 } };
  for (const [path, patch] of Object.entries(arrived)) await fixture.sandbox.control.addFault({ ...less, path, patch });
  await fixture.pay(await fixture.visit(session));
  await fixture.until(async () => (await fixture.payment(session)).state === "review");
  const { id: paymentId, finding } = await fixture.payment(session);
  const seen = finding === null ? "" : findingKey(finding);
  const { engine } = fixture.app.checkout;
  await acceptReview(engine, { paymentId, by: "owner", findingKey: seen });
  await fixture.until(async () => (await fixture.payment(session)).state === "recorded");
  const sent: number[] = [];
  const { service } = engine.tenants;
  engine.tenants.service = async (id) => ({
    ...(await service(id)),
    async refund({ request }) {
      const { amount } = JSON.parse(request);
      sent.push(amount);
      return { id: `refund-${sent.length}`, status: "completed", wireAmount: amount };
    },
  });
  const { session: refund } = await fixture.shop.requestRefund(session, TOTAL);
  expect(await finalState(fixture, refund)).toBe("resolved");
  expect(sent).toEqual([12_000]);
});

test("a refund of an unpaid session or of an unknown session is rejected", async () => {
  const fixture = await openFixture();
  const unpaid = (await fixture.shop.startPayment({ total: TOTAL })).session;
  const { session: refund } = await fixture.shop.requestRefund(unpaid, TOTAL);
  const neverPosted = fixture.shop.openCheckout({ total: TOTAL });
  const { session: unknown } = await fixture.shop.requestRefund(neverPosted, TOTAL);
  expect(await finalState(fixture, refund)).toBe("rejected");
  expect(unknown.state).toBe("rejected");
  expect(await refundsAt(fixture)).toEqual([]);
});

test("a refund that the service cannot make is rejected, and a pending refund is resolved only when it is paid", async () => {
  const { fixture, session } = await openPaid();
  await fixture.sandbox.control.changeSettings({ refunds: "pending" });
  const failing = (await fixture.shop.requestRefund(session, xof(1_000))).session;
  await fixture.advanceTime(30 * SECOND, { longestStepMs: 5 * SECOND });
  expect(failing.state).toBe("open");
  const [first] = await refundsAt(fixture);
  await fixture.sandbox.control.failRefund(first?.refund_id ?? "");
  expect(await finalState(fixture, failing)).toBe("rejected");
  const waiting = (await fixture.shop.requestRefund(session, xof(2_000))).session;
  await fixture.advanceTime(30 * SECOND, { longestStepMs: 5 * SECOND });
  expect(waiting.state).toBe("open");
  const second = (await refundsAt(fixture)).find(({ amount }) => amount === 2_000);
  await fixture.sandbox.control.completeRefund(second?.refund_id ?? "");
  expect(await finalState(fixture, waiting)).toBe("resolved");
});

test("a refund whose webhook was lost is found by a read of the service", async () => {
  const { fixture, session } = await openPaid();
  await fixture.sandbox.control.changeSettings({ refunds: "pending" });
  fixture.blockWebhooks();
  const { session: refund } = await fixture.shop.requestRefund(session, xof(1_000));
  await fixture.advanceTime(30 * SECOND, { longestStepMs: 5 * SECOND });
  const [made] = await refundsAt(fixture);
  await fixture.sandbox.control.completeRefund(made?.refund_id ?? "");
  await fixture.advanceTime(HOUR, { longestStepMs: MINUTE });
  expect(refund.state).toBe("resolved");
});

test("a refund whose answer from the service was lost is not paid twice", async () => {
  const { fixture, session } = await openPaid();
  await fixture.sandbox.control.addFault({ method: "POST", path: "/refunds", when: "after", reset: true });
  const { session: refund } = await fixture.shop.requestRefund(session, TOTAL);
  await fixture.advanceTime(30 * MINUTE, { longestStepMs: 30 * SECOND });
  expect(refund.state).toBe("resolved");
  expect(await refundsAt(fixture)).toHaveLength(1);
});

test("the result of a refund is stored while Shopify is down and then sent once", async () => {
  const { fixture, session } = await openPaid();
  fixture.simulator.faults.add({ on: "refundSessionResolve", status: 503, times: 4 });
  const { session: refund } = await fixture.shop.requestRefund(session, TOTAL);
  await fixture.advanceTime(5 * MINUTE, { longestStepMs: 5 * SECOND });
  expect(refund.state).toBe("resolved");
  expect(fixture.shop.record.callsOf("refundSessionResolve").at(-1)?.outcome).toBe("done");
});

test("captures and voids are rejected with a reason", async () => {
  const { fixture, session } = await openPaid();
  const capture = await fixture.shop.requestCapture(session, TOTAL);
  const release = await fixture.shop.requestVoid(session);
  expect([capture.answer.status, release.answer.status]).toEqual([201, 201]);
  await fixture.advanceTime(MINUTE, { longestStepMs: 5 * SECOND });
  expect([capture.session.state, release.session.state]).toEqual(["rejected", "rejected"]);
  expect(capture.session.rejection).toMatchObject({ code: "PROCESSING_ERROR", merchantMessage: expect.any(String) });
});
