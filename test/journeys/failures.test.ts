import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JourneyFixture, KINDS, openFixture, runAllDue } from "./fixture.ts";

describe.each(KINDS)("a %s shop", (kind) => {
  let fixture: JourneyFixture;
  beforeEach(async () => {
    fixture = await openFixture(kind);
  });
  afterEach(async () => {
    await fixture.close();
  });

  const timesPaid = (orderId: string) => fixture.store.probe.effects(orderId).length;
  const sessionReads = { method: "GET", path: "/checkout-sessions/{id}" };
  const sessionCreations = { method: "POST", path: "/checkout-sessions" };

  it.each([
    ["503", { when: "before", status: 503 }],
    ["429", { when: "before", status: 429 }],
    ["a broken connection", { when: "before", reset: true }],
    ["half an answer", { when: "after", cutBody: true }],
  ])("an order is paid although the service answers %s to reads of its session", async (_name, fault) => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.control("POST", "faults", { ...sessionReads, times: 2, ...fault });
    await fixture.pay(checkout);
    await fixture.until(async () => {
      await fixture.advanceTime(2_000);
      expect(timesPaid(checkout.ref.orderId)).toBe(1);
    });
  });

  it("one session is opened although the connection broke after the service accepted the request", async () => {
    const placed = await fixture.placeOrder();
    await fixture.control("POST", "faults", { ...sessionCreations, when: "after", times: 1, reset: true });
    const checkout = await fixture.startCheckout(placed);
    expect(await sessionsOf(fixture)).toEqual([checkout.sessionId]);
  });

  it("the session is found again after a crash between its creation and its commit, although the title changed", async () => {
    const placed = await fixture.placeOrder();
    // Every answer is lost, as if the process died each time before it could save anything.
    await fixture.control("POST", "faults", { ...sessionCreations, when: "after", times: 1000, reset: true });
    await expect(fixture.startCheckout(placed)).rejects.toMatchObject({ code: "service_unavailable" });
    await fixture.control("DELETE", "faults");
    await fixture.restart();
    const order = await fixture.order(placed);
    const start = await fixture.server().startCheckout({ ...order, title: "A title that was changed meanwhile" });
    const sessions = await sessionsOf(fixture);
    expect(sessions).toHaveLength(1);
    expect(start).toMatchObject({ status: "redirect" });
    expect((await fixture.payment(start.paymentId ?? "")).session?.id).toBe(sessions[0]);
  });

  it("a shop's order is marked paid once although the shop's answer was lost", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    fixture.store.failNextWrite("lost-after-effect");
    await fixture.pay(checkout);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
    for (let second = 0; second < 200; second += 10) await fixture.advanceTime(10_000);
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).state).toBe("recorded"));
    expect(timesPaid(checkout.ref.orderId)).toBe(1);
  });

  it("an order is marked paid once although a timed-out write landed late", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    fixture.store.failNextWrite({ lateMs: 60_000 });
    await fixture.pay(checkout);
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).storeWriteAt).not.toBeNull());
    for (let second = 0; second < 300; second += 10) {
      await fixture.advanceTime(10_000);
      await fixture.visit(await fixture.returnLink(checkout));
    }
    await fixture.until(async () => expect((await fixture.payment(checkout.paymentId)).state).toBe("recorded"));
    expect(timesPaid(checkout.ref.orderId)).toBe(1);
  });

  it("an order of a shop that is down is marked paid as soon as the shop is back", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    fixture.store.setDown(true);
    await fixture.pay(checkout);
    for (let minute = 0; minute < 10; minute += 1) await fixture.advanceTime(60_000);
    expect(timesPaid(checkout.ref.orderId)).toBe(0);
    fixture.store.setDown(false);
    await fixture.advanceTime(120_000);
    await fixture.until(() => expect(timesPaid(checkout.ref.orderId)).toBe(1));
  });

  it("an order is paid once when webhook, return and timer come at the same moment, ten times", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    const link = await fixture.returnLink(checkout);
    await fixture.pay(checkout);
    await Promise.all([...Array(10)].map(async () => Promise.all([fixture.visit(link), runAllDue(fixture)])));
    await fixture.until(async () => {
      await fixture.advanceTime(2_000);
      expect((await fixture.payment(checkout.paymentId)).state).toBe("recorded");
    });
    expect(timesPaid(checkout.ref.orderId)).toBe(1);
  });

  it("no log line and no page shows a key, secret, e-mail or phone number", async () => {
    const checkout = await fixture.startCheckout(await fixture.placeOrder());
    await fixture.control("POST", "faults", { ...sessionReads, when: "before", times: 3, status: 503 });
    await fixture.pay(checkout);
    const pages = [
      await fixture.visit(await fixture.returnLink(checkout)),
      await fixture.visit(`${fixture.origin}/healthz`),
    ];
    await fixture.until(async () => {
      await fixture.advanceTime(2_000);
      expect(timesPaid(checkout.ref.orderId)).toBe(1);
    });
    const printed = fixture.logged() + pages.map(({ text }) => text).join("");
    expect(printed).not.toMatch(/svc_[sp]k_|whsec_|\w@\w+\.\w|\+225/);
  });
});

async function sessionsOf(fixture: JourneyFixture): Promise<string[]> {
  const { data } = (await fixture.control("GET", "checkout-sessions")) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}
