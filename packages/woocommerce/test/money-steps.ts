import type { Payment } from "@tillkit/core";
import type { ShopOrder } from "@tillkit/fake-woocommerce";
import { expect } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import type { ServerFixture } from "./server-fixture.ts";

/** What the service refunded in the last hour, in the smallest unit of the currency. */
export async function refundedAtService(fixture: ServerFixture): Promise<number> {
  const { engine } = fixture.server().checkout;
  const { id } = await engine.tenants.credentialFor("boutique", "test");
  const service = await engine.tenants.service(id);
  let sum = 0;
  const query = { from: Date.now() - 3_600_000, account: null, deadlineMs: 5_000 };
  for await (const { refundedAmount } of service.listTransactions(query)) sum += refundedAmount ?? 0;
  return sum;
}

/** The service makes refunds, and its answers get lost until `clearFaults`. */
export async function loseRefundAnswers({ sandbox }: ServerFixture): Promise<void> {
  await sandbox.control.addFault({ method: "POST", path: "/refunds", when: "after", status: 503, times: 100 });
}

/** An order with two paid sessions. The order shows the first payment. */
export async function payOrderTwice(
  fixture: ServerFixture,
): Promise<{ readonly order: ShopOrder; readonly first: Payment; readonly second: Payment }> {
  const { order, payment: first } = await fixture.openOrder();
  fixture.fake.shop.edit(order.id, { total: "6000" });
  await fixture.follow(order);
  fixture.fake.shop.edit(order.id, { total: "5000" });
  const second = await fixture.payment(order.id);
  await fixture.pay(first);
  const stateOfFirst = async () => (await fixture.payments(order.id))[0]?.state;
  await waitFor(async () => expect(await stateOfFirst()).toBe("recorded"));
  await fixture.pay(second);
  return { order, first, second };
}
