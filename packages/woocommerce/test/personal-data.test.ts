import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openServerFixture, type ServerFixture } from "./server-fixture.ts";

describe("personal data", () => {
  it("a person's export contains the payment and the webhooks that the checkout server stored for the order", async () => {
    const { fixture, input } = await openPaidOrder();
    const { status, body } = await fixture.call("export", input);
    expect(status).toBe(200);
    expect(String(body.payments).replace(/\s/g, " ")).toContain("5 000 F CFA");
    expect(String(body.messages)).toContain("PAYMENT_SUCCEEDED");
  });

  it("after an erasure the stored webhooks are empty, and the payment stays for the bookkeeping", async () => {
    const { fixture, input } = await openPaidOrder();
    await endScheduledReads(fixture);
    expect((await fixture.call("erase", input)).body).toMatchObject({ unfinished: 0, erased: 1 });
    const { body } = await fixture.call("export", input);
    expect(body.payments).toHaveLength(1);
    expect(String(body.messages)).not.toContain("PAYMENT_SUCCEEDED");
  });

  it("nothing is erased while the shopper may still pay", async () => {
    const fixture = await openServerFixture();
    const { order } = await fixture.openOrder();
    const result = await fixture.call("erase", { order: String(order.id), key: order.key });
    expect(result).toMatchObject({ status: 200, body: { erased: 0, unfinished: 1 } });
  });

  it("a copy of the shop, whose orders have other keys, can neither export nor erase", async () => {
    const { fixture, input } = await openPaidOrder();
    for (const purpose of ["export", "erase"] as const) {
      const result = await fixture.call(purpose, { ...input, key: "wc_order_of_a_copy" });
      expect(result).toMatchObject({ status: 404, body: { code: "tillkit_order_not_known" } });
    }
    expect(String((await fixture.call("export", input)).body.messages)).toContain("PAYMENT_SUCCEEDED");
  });

  it("an order that was never paid with Tillkit has nothing to export", async () => {
    const fixture = await openServerFixture();
    const result = await fixture.call("export", { order: "77", key: "wc_order_unknown" });
    expect(result).toMatchObject({ status: 200, body: { payments: [], messages: [] } });
  });
});

/** Finishes all jobs, as if they had run in the day after the payment. */
async function endScheduledReads({ server, ledger }: ServerFixture): Promise<void> {
  await server().close();
  const { rows } = await ledger.listJobs({ limit: 50 });
  await ledger.commit({ finished: rows.map(({ id }) => id), timeline: [] });
}

async function openPaidOrder(): Promise<{ fixture: ServerFixture; input: { order: string; key: string } }> {
  const fixture = await openServerFixture();
  const { order, payment } = await fixture.openOrder();
  await fixture.pay(payment);
  await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  await waitFor(async () => {
    const { body } = await fixture.call("export", { order: String(order.id), key: order.key });
    expect(String(body.messages)).toContain("PAYMENT_SUCCEEDED");
  });
  return { fixture, input: { order: String(order.id), key: order.key } };
}
