import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KINDS, openWorld, type World, workOff } from "./world.ts";

describe.each(KINDS)("a shop that is %s", (kind) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(kind);
  });
  afterEach(async () => {
    await world.close();
  });

  const timesPaid = (orderId: string) => world.store.probe.effects(orderId).length;
  const reads = { method: "GET", path: "/checkout-sessions/{id}" };
  const opens = { method: "POST", path: "/checkout-sessions" };

  it.each([
    ["503", { when: "before", status: 503 }],
    ["429", { when: "before", status: 429 }],
    ["a broken connection", { when: "before", reset: true }],
    ["half an answer", { when: "after", cutBody: true }],
  ])("pays its order although the service answers %s while it is asked", async (_name, fault) => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.control("POST", "faults", { ...reads, times: 2, ...fault });
    await world.pay(begun);
    await world.until(async () => {
      await world.pass(2_000);
      expect(timesPaid(begun.ref.orderId)).toBe(1);
    });
  });

  it("opens one session although the connection broke after the service had taken the request", async () => {
    const placed = await world.placeOrder();
    await world.control("POST", "faults", { ...opens, when: "after", times: 1, reset: true });
    const begun = await world.pressPay(placed);
    expect(await sessionsOf(world)).toEqual([begun.sessionId]);
  });

  it("finds the one session again after a crash between its creation and saving it, though the title changed", async () => {
    const placed = await world.placeOrder();
    // Every answer is lost, as if the process died each time before it could save anything.
    await world.control("POST", "faults", { ...opens, when: "after", times: 1000, reset: true });
    await expect(world.pressPay(placed)).rejects.toMatchObject({ code: "service_unavailable" });
    await world.control("DELETE", "faults");
    await world.restart();
    const order = await world.order(placed);
    const start = await world.till().startCheckout({ ...order, title: "A title that was changed meanwhile" });
    const sessions = await sessionsOf(world);
    expect(sessions).toHaveLength(1);
    expect(start).toMatchObject({ say: "redirect" });
    expect((await world.payment(start.paymentId ?? "")).session?.id).toBe(sessions[0]);
  });

  it("is told once although its answer to being told was lost", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    world.store.failNextWrite("lost-after-effect");
    await world.pay(begun);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
    for (let second = 0; second < 200; second += 10) await world.pass(10_000);
    await world.until(async () => expect((await world.payment(begun.paymentId)).state).toBe("recorded"));
    expect(timesPaid(begun.ref.orderId)).toBe(1);
  });

  it("is marked paid once although a write that nobody waited for any more landed late", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    world.store.failNextWrite({ lateMs: 60_000 });
    await world.pay(begun);
    await world.until(async () => expect((await world.payment(begun.paymentId)).storeWriteAt).not.toBeNull());
    for (let second = 0; second < 300; second += 10) {
      await world.pass(10_000);
      await world.visit(await world.returnLink(begun));
    }
    await world.until(async () => expect((await world.payment(begun.paymentId)).state).toBe("recorded"));
    expect(timesPaid(begun.ref.orderId)).toBe(1);
  });

  it("that is down is told as soon as it is back", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    world.store.setDown(true);
    await world.pay(begun);
    for (let minute = 0; minute < 10; minute += 1) await world.pass(60_000);
    expect(timesPaid(begun.ref.orderId)).toBe(0);
    world.store.setDown(false);
    await world.pass(120_000);
    await world.until(() => expect(timesPaid(begun.ref.orderId)).toBe(1));
  });

  it("is paid once when webhook, return and timer all come at the same moment, ten times", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    const link = await world.returnLink(begun);
    await world.pay(begun);
    await Promise.all([...Array(10)].map(async () => Promise.all([world.visit(link), workOff(world)])));
    await world.until(async () => {
      await world.pass(2_000);
      expect((await world.payment(begun.paymentId)).state).toBe("recorded");
    });
    expect(timesPaid(begun.ref.orderId)).toBe(1);
  });

  it("shows no key, secret, e-mail or phone in any log line or page", async () => {
    const begun = await world.pressPay(await world.placeOrder());
    await world.control("POST", "faults", { ...reads, when: "before", times: 3, status: 503 });
    await world.pay(begun);
    const pages = [await world.visit(await world.returnLink(begun)), await world.visit(`${world.origin}/healthz`)];
    await world.until(async () => {
      await world.pass(2_000);
      expect(timesPaid(begun.ref.orderId)).toBe(1);
    });
    const printed = world.logged() + pages.map(({ text }) => text).join("");
    expect(printed).not.toMatch(/svc_[sp]k_|whsec_|\w@\w+\.\w|\+225/);
  });
});

async function sessionsOf(world: World): Promise<string[]> {
  const { data } = (await world.control("GET", "checkout-sessions")) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}
