import { createHmac, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Begun, KINDS, openWorld, type World } from "./world.ts";

describe.each(KINDS)("a signal about an order of a shop that is %s", (kind) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(kind);
  });
  afterEach(async () => {
    await world.close();
  });

  const timesPaid = (orderId: string) => world.store.probe.effects(orderId).length;

  /** What somebody who knows the secret, or does not, sends to our webhook route. */
  async function send(body: string, secret: string, headers: Record<string, string> = {}): Promise<number> {
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const response = await fetch(`${world.origin}/hooks/service/main`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", "X-Service-Signature": signature, ...headers },
    });
    return response.status;
  }

  async function secretOf(): Promise<string> {
    const endpoint = await world.till().engine.tenants.endpoint("main");
    return endpoint?.secrets[0] ?? "";
  }

  function succeeded(begun: Begun, change: Record<string, unknown> = {}): string {
    const data = { transaction_id: randomUUID(), checkout_session_id: begun.sessionId, status: "completed", ...change };
    return JSON.stringify({
      id: randomUUID(),
      event: "PAYMENT_SUCCEEDED",
      timestamp: "2026-03-01T10:00:00.000Z",
      data,
    });
  }

  it("ten times, with another event id each time, pays it once", async () => {
    await world.control("PATCH", "settings", { delivery: { freshIdPerAttempt: true, duplicate: 9 } });
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
    await world.until(async () => {
      const deliveries = (await world.control("GET", "deliveries")) as { data?: unknown[] } | unknown[];
      expect((Array.isArray(deliveries) ? deliveries : (deliveries.data ?? [])).length).toBeGreaterThanOrEqual(10);
    });
    await world.pass(120_000);
    expect(timesPaid(begun.ref.orderId)).toBe(1);
  });

  it("without the session id finds its payment", async () => {
    await world.control("PATCH", "settings", { thinEvents: true });
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });

  it("with a forged signature is refused and changes nothing", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    expect(await send(succeeded(begun), "whsec_guessed")).toBe(401);
    await world.pass(30_000);
    expect(timesPaid(begun.ref.orderId)).toBe(0);
  });

  it("that is signed and lies about a payment changes nothing", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    expect(await send(succeeded(begun), await secretOf())).toBe(200);
    await world.pass(30_000);
    expect(timesPaid(begun.ref.orderId)).toBe(0);
    expect((await world.payment(begun.paymentId)).state).toBe("open");
  });

  it("whose header says something else than its signed body is looked at, and flagged", async () => {
    await world.loseWebhooks();
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    expect(await send(succeeded(begun), await secretOf(), { "X-Service-Event": "PAYMENT_FAILED" })).toBe(200);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
    const story = await world.till().engine.ledger.timeline({ paymentId: begun.paymentId });
    expect(story.map(({ kind }) => kind)).toContain("header_differs");
  });

  it("on a forged return link is answered with a page, and looks at nothing", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.pay(begun);
    const link = await world.returnLink(begun);
    const forged = await world.visit(link.replace(/\.[\w-]{43}/, `.${"A".repeat(43)}`));
    expect(forged.status).toBe(403);
    expect(forged.text).toContain("<h1");
  });

  it.each([
    ["another amount", { amount: 50 }, "amount_differs"],
    ["another currency", { currency_code: "USD" }, "currency_differs"],
    ["no currency", { currency_code: null }, "not_verifiable"],
    ["no reference", { metadata: null }, "not_verifiable"],
    ["somebody else's reference", { metadata: { tillkit_reference: "x.y" } }, "other_reference"],
    ["another session", { id: randomUUID(), checkout_session_id: randomUUID() }, "other_session"],
    ["the live environment", { environment: "live" }, "other_environment"],
  ])("leads to a read that shows %s: not paid, and the owner sees why", async (_name, patch, code) => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.control("POST", "faults", {
      method: "GET",
      path: "/checkout-sessions/{id}",
      when: "after",
      patch,
      times: 1000,
    });
    await world.pay(begun);
    await world.until(async () => expect((await world.payment(begun.paymentId)).finding?.code).toBe(code));
    await world.until(async () => expect(await world.store.probe.holds(begun.ref.orderId)).toHaveLength(1));
    expect(timesPaid(begun.ref.orderId)).toBe(0);
  });

  it("comes after the order was edited: held, not paid, and paid once the owner set the total back", async () => {
    const placed = await world.placeOrder();
    const begun = await world.pressPay(placed);
    await world.store.editTotal(placed.ref.orderId, { minor: 7000, currency: "XOF" });
    await world.pay(begun);
    await world.until(async () => expect((await world.payment(begun.paymentId)).state).toBe("review"));
    expect(timesPaid(placed.ref.orderId)).toBe(0);
  });
});
