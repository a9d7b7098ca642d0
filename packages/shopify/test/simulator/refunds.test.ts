import { money } from "@tillkit/core";
import type { MoneySession, PaymentSession } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { HOUR, MINUTE, openWorld, SECOND, TOTAL, type World } from "./world.ts";

const xof = (minor: number) => money(minor, "XOF");

async function paidWorld(): Promise<{ readonly world: World; readonly session: PaymentSession }> {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  await world.pay(await world.visit(session));
  await world.until(async () => (await world.payment(session)).state === "recorded");
  return { world, session };
}

/** Refunds that the service really made of this payment, newest first. */
async function refundsAt(world: World): Promise<readonly { readonly amount: number; readonly refund_id: string }[]> {
  const response = await fetch(`${world.sandbox.baseUrl}/v1/refunds`, {
    headers: { Authorization: `Bearer ${world.sandbox.keys.test.secret}` },
  });
  const { data } = (await response.json()) as { readonly data: readonly { amount: number; refund_id: string }[] };
  return data;
}

async function ends(world: World, refund: MoneySession): Promise<MoneySession["state"]> {
  await world.pass(2 * MINUTE, 5 * SECOND);
  return refund.state;
}

test("a refund gives money back, and Shopify is told when it is done", async () => {
  const { world, session } = await paidWorld();
  const { session: refund, answer } = await world.shop.requestRefund(session, xof(5_000));
  expect(answer).toMatchObject({ status: 201, text: "{}\n" });
  expect(await ends(world, refund)).toBe("resolved");
  expect((await refundsAt(world)).map(({ amount }) => amount)).toEqual([5_000]);
}, 60_000);

test("the same refund posted twenty times gives money back once", async () => {
  const { world, session } = await paidWorld();
  const { session: refund } = await world.shop.requestRefund(session, TOTAL);
  await Promise.all(Array.from({ length: 20 }, () => world.shop.postMoney(refund)));
  expect(await ends(world, refund)).toBe("resolved");
  const answers = await Promise.all(Array.from({ length: 5 }, () => world.shop.postMoney(refund)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  await world.pass(2 * MINUTE);
  expect(await refundsAt(world)).toHaveLength(1);
  expect(world.shop.record.of("refunded")).toHaveLength(1);
}, 60_000);

test("partial refunds add up to the payment, and what is beyond it is rejected", async () => {
  const { world, session } = await paidWorld();
  const parts = [xof(5_000), xof(5_000), xof(2_500)];
  for (const part of parts) {
    const { session: refund } = await world.shop.requestRefund(session, part);
    expect(await ends(world, refund)).toBe("resolved");
  }
  const { session: over } = await world.shop.requestRefund(session, xof(1));
  expect(await ends(world, over)).toBe("rejected");
  expect(over.rejection?.merchantMessage).toMatch(/rembours/i);
  expect((await refundsAt(world)).map(({ amount }) => amount).sort()).toEqual([2_500, 5_000, 5_000]);
}, 120_000);

test("three partial refunds at the same moment are three refunds", async () => {
  const { world, session } = await paidWorld();
  const posted = await Promise.all([1, 2, 3].map(() => world.shop.requestRefund(session, xof(4_000))));
  await world.pass(5 * MINUTE, 5 * SECOND);
  expect(posted.map(({ session: refund }) => refund.state)).toEqual(["resolved", "resolved", "resolved"]);
  expect(await refundsAt(world)).toHaveLength(3);
}, 60_000);

test("more than was paid is rejected, and nothing is given back", async () => {
  const { world, session } = await paidWorld();
  const { session: refund } = await world.shop.requestRefund(session, xof(12_501));
  expect(await ends(world, refund)).toBe("rejected");
  expect(await refundsAt(world)).toEqual([]);
}, 60_000);

test("the refund of a payment that nobody made is rejected", async () => {
  const world = await openWorld();
  const unpaid = (await world.shop.startPayment({ total: TOTAL })).session;
  const { session: refund } = await world.shop.requestRefund(unpaid, TOTAL);
  const stranger = world.shop.propose({ total: TOTAL });
  const { session: unknown } = await world.shop.requestRefund(stranger, TOTAL);
  expect(await ends(world, refund)).toBe("rejected");
  expect(unknown.state).toBe("rejected");
  expect(await refundsAt(world)).toEqual([]);
}, 60_000);

test("a refund that the service cannot make is rejected; one that waits is resolved only when it is done", async () => {
  const { world, session } = await paidWorld();
  await world.sandbox.control.changeSettings({ refunds: "pending" });
  const failing = (await world.shop.requestRefund(session, xof(1_000))).session;
  await world.pass(30 * SECOND, 5 * SECOND);
  expect(failing.state).toBe("open");
  const [first] = await refundsAt(world);
  await world.sandbox.control.failRefund(first?.refund_id ?? "");
  expect(await ends(world, failing)).toBe("rejected");
  const waiting = (await world.shop.requestRefund(session, xof(2_000))).session;
  await world.pass(30 * SECOND, 5 * SECOND);
  expect(waiting.state).toBe("open");
  const second = (await refundsAt(world)).find(({ amount }) => amount === 2_000);
  await world.sandbox.control.completeRefund(second?.refund_id ?? "");
  expect(await ends(world, waiting)).toBe("resolved");
}, 120_000);

test("a refund whose event was lost is found by reading", async () => {
  const { world, session } = await paidWorld();
  await world.sandbox.control.changeSettings({ refunds: "pending" });
  world.setWebhooks(false);
  const { session: refund } = await world.shop.requestRefund(session, xof(1_000));
  await world.pass(30 * SECOND, 5 * SECOND);
  const [made] = await refundsAt(world);
  await world.sandbox.control.completeRefund(made?.refund_id ?? "");
  await world.pass(HOUR, MINUTE);
  expect(refund.state).toBe("resolved");
}, 120_000);

test("an answer of the service that was lost after it gave the money back does not give it twice", async () => {
  const { world, session } = await paidWorld();
  await world.sandbox.control.addFault({ method: "POST", path: "/refunds", when: "after", reset: true });
  const { session: refund } = await world.shop.requestRefund(session, TOTAL);
  await world.pass(30 * MINUTE, 30 * SECOND);
  expect(refund.state).toBe("resolved");
  expect(await refundsAt(world)).toHaveLength(1);
}, 120_000);

test("while Shopify is down the end of a refund is kept for it, and told once", async () => {
  const { world, session } = await paidWorld();
  world.simulator.faults.add({ on: "refundSessionResolve", status: 503, times: 4 });
  const { session: refund } = await world.shop.requestRefund(session, TOTAL);
  await world.pass(5 * MINUTE, 5 * SECOND);
  expect(refund.state).toBe("resolved");
  expect(world.shop.record.callsOf("refundSessionResolve").at(-1)?.outcome).toBe("done");
}, 120_000);

test("captures and voids are refused honestly, never left without an answer", async () => {
  const { world, session } = await paidWorld();
  const capture = await world.shop.requestCapture(session, TOTAL);
  const release = await world.shop.requestVoid(session);
  expect([capture.answer.status, release.answer.status]).toEqual([201, 201]);
  await world.pass(MINUTE, 5 * SECOND);
  expect([capture.session.state, release.session.state]).toEqual(["rejected", "rejected"]);
  expect(capture.session.rejection).toMatchObject({ code: "PROCESSING_ERROR", merchantMessage: expect.any(String) });
}, 60_000);
