import { money } from "@tillkit/core";
import { balanceOf, financialStatus } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";

const timesCalled = ({ shop }: Fixture, field: string) => shop.record.callsOf(field).length;

/** Turns all jobs into dead-letter jobs, as the engine does after many attempts. */
async function giveUpJobs({ ledger, clock }: Fixture): Promise<void> {
  const { rows } = await ledger.listJobs({ limit: 100 });
  const error = { code: "unavailable", message: "Shopify refused to record the payment." };
  await ledger.commit({ retried: rows.map(({ id }) => ({ id, dueAt: null, error })), timeline: [] });
  expect((await ledger.countJobs(clock.now())).dead).toBeGreaterThan(0);
}

test("a payment that the app cannot record is finished when the owner records it on the order by hand", async () => {
  const fixture = await openFixture({ mode: "order", shop: { plan: "basic" } });
  const { shop, ledger } = fixture;
  const order = shop.placeOrder({ total: money(12_500, "XOF"), test: true });
  await fixture.settle();
  await fixture.open(order.metafields.get("$app.pay_url")?.value ?? "");
  const ref = { storeId: shop.domain, orderId: order.id.replace(/.*\//, "") };
  const [payment] = await ledger.paymentsOfOrder(ref);
  if (!payment) return expect.fail("No payment was started.");
  // Shopify refuses the capture, the manual payment with an amount, and the mark as paid, until the job is given up.
  for (const on of ["orderCapture", "orderMarkAsPaid"])
    fixture.simulator.faults.add({ on, error: "ACCESS_DENIED", times: 1_000 });
  await fixture.pay(payment);
  await fixture.until(() => timesCalled(fixture, "orderMarkAsPaid") > 0);
  await fixture.settle();
  await giveUpJobs(fixture);
  expect((await ledger.find({ id: payment.id }))?.state).toBe("verified");

  fixture.simulator.faults.clear();
  shop.markOrderAsPaid(order.id);
  await fixture.until(async () => (await ledger.find({ id: payment.id }))?.state !== "verified");
  await fixture.settle();
  expect(financialStatus(order)).toBe("PAID");
  expect(balanceOf(order).received).toEqual(money(12_500, "XOF"));
  expect((await ledger.countJobs(fixture.clock.now())).dead).toBe(0);
  expect((await ledger.find({ id: payment.id }))?.state).toBe("recorded");
  expect(timesCalled(fixture, "refundCreate")).toBe(0);
});
