import { expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openServerFixture, type ServerFixture } from "./server-fixture.ts";

it("the shop learns that the latest attempt on the hosted page failed, and that a later one is on its way", async () => {
  const fixture = await openServerFixture();
  const { order, payment } = await fixture.openOrder();
  const attempts = async () => await attemptsOf(fixture, order);
  expect(await attempts()).toEqual([null]);
  const sessionId = payment.session?.id ?? "";
  await fixture.sandbox.control.paySession(sessionId, { method: "card", outcome: "failed" });
  await waitFor(async () => expect(await attempts()).toEqual(["failed"]));
  await fixture.sandbox.control.paySession(sessionId, { method: "wave", outcome: "pending" });
  await waitFor(async () => expect(await attempts()).toEqual(["pending"]));
  expect((await fixture.payment(order.id)).state).toBe("open");
});

it("a payment that succeeds after a declined attempt pays an order that WooCommerce shows as failed", async () => {
  const fixture = await openServerFixture();
  const { order, payment } = await fixture.openOrder();
  await fixture.sandbox.control.paySession(payment.session?.id ?? "", { method: "card", outcome: "failed" });
  await waitFor(async () => expect(await attemptsOf(fixture, order)).toEqual(["failed"]));
  fixture.fake.shop.change(order.id, { status: "failed" });
  await fixture.pay(payment);
  await waitFor(() => expect(fixture.fake.shop.order(order.id)?.status).toBe("processing"));
  expect(fixture.fake.shop.effects).toHaveLength(1);
});

async function attemptsOf(fixture: ServerFixture, order: { readonly id: number; readonly key: string }) {
  const { body } = await fixture.call("status", { order: String(order.id), key: order.key });
  return (body.payments as readonly { readonly attempt: string | null }[]).map(({ attempt }) => attempt);
}
