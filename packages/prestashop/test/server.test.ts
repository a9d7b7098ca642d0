import { money } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { openServer, STORE_ID, TOTAL } from "./server-fixture.ts";

const DAY = 86_400_000;

describe("the checkout server of a PrestaShop", () => {
  it("takes a payment by the pay link of an order, and the order is paid once", async () => {
    const { shop, sandbox, follow, ledger } = await openServer();
    const order = shop.place({ total: TOTAL, title: "Coffee", language: "fr" });
    expect((await follow(order)).status).toBe(303);
    const [payment] = await ledger.paymentsOfOrder({ storeId: STORE_ID, orderId: order.id });
    await sandbox.control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
    await waitFor(() => expect([order.state, order.timesPaid, order.paymentId]).toEqual(["paid", 1, payment?.id]));
    const again = await follow(order);
    expect([again.status, again.headers.get("location")]).toEqual([303, `${shop.url}/confirmation`]);
  });

  it("refuses the pay link of an order with another key, another total, another method, or a closed status", async () => {
    const { shop, follow, linkOf } = await openServer();
    const answers: number[] = [];
    for (const change of [
      { key: "another" },
      { total: money(6_000, "XOF") },
      { module: "ps_wirepayment" },
      { state: "cancelled" },
    ]) {
      const order = shop.place({ total: TOTAL, title: "Coffee", language: "fr" });
      const link = linkOf(order);
      Object.assign(order, change);
      answers.push((await follow(link)).status);
    }
    expect(answers).toEqual([404, 409, 409, 409]);
  });

  it("closes an order whose only payment went back after the call that had claimed the order for it died", async () => {
    const { shop, server, follow, ledger } = await openServer();
    const order = shop.place({ total: TOTAL, title: "Coffee", language: "fr" });
    expect((await follow(order)).status).toBe(303);
    const [payment] = await ledger.paymentsOfOrder({ storeId: STORE_ID, orderId: order.id });
    if (!payment) throw new Error("The pay link opened no payment.");
    const next = { ...payment, state: "refunded", nextCheckAt: null, version: payment.version + 1 } as const;
    expect(await ledger.commit({ payment: { next, expect: payment.version }, timeline: [] })).toBe("done");
    order.paymentId = payment.id;
    order.changed -= (2 * DAY) / 1_000 + 1;
    await server.sweep(STORE_ID);
    expect([order.state, order.paymentId]).toEqual(["cancelled", null]);
  });

  it("closes an order that nobody began to pay for two days, and none that may still be paid", async () => {
    const { shop, server, follow } = await openServer();
    const abandoned = shop.place({ total: TOTAL, title: "Coffee", language: "fr" });
    const begun = shop.place({ total: TOTAL, title: "Tea", language: "fr" });
    expect((await follow(begun)).status).toBe(303);
    await server.sweep(STORE_ID);
    expect(abandoned.state).toBe("waiting");
    for (const order of [abandoned, begun]) order.changed -= (2 * DAY) / 1_000 + 1;
    await server.sweep(STORE_ID);
    expect([abandoned.state, begun.state]).toEqual(["cancelled", "waiting"]);
  });
});
