import { describe, expect, it } from "vitest";
import { limits, startCheckout } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { SESSION_NEARLY_OVER_MS } from "../fixture/steps.ts";

const MINUTE = 60_000;

describe("startCheckout", () => {
  it("a shopper is sent to a session with exactly the order's total", async () => {
    const { engine, service } = createEngineFixture();
    const start = await startCheckout(engine, anOrder({ title: "Pagne « Abidjan » 🧵" }));
    expect(start).toMatchObject({ status: "redirect", url: "https://pay.service.example/session-1" });
    const body = service.sessions.get("session-1")?.body;
    expect(body).toMatchObject({ amount: 5000, currency_code: "XOF", title: "Pagne « Abidjan » 🧵" });
  });

  it("a shopper who presses pay again gets the same page", async () => {
    const { engine, service, clock } = createEngineFixture();
    const first = await startCheckout(engine, anOrder());
    await clock.advance(20 * MINUTE);
    expect(await startCheckout(engine, anOrder())).toEqual(first);
    expect(service.sessions.size).toBe(1);
  });

  it("a shopper who presses pay in two tabs at once gets one page", async () => {
    const { engine, anotherProcess, service } = createEngineFixture();
    const starts = await Promise.all([
      startCheckout(engine, anOrder()),
      startCheckout(anotherProcess("two"), anOrder()),
      startCheckout(engine, anOrder()),
    ]);
    expect(new Set(starts.map((start) => JSON.stringify(start))).size).toBe(1);
    expect(service.sessions.size).toBe(1);
  });

  it("a changed order gets a page for its new total, and the old session is still read", async () => {
    const { engine, service, expectPaymentIn } = createEngineFixture();
    await startCheckout(engine, anOrder());
    const start = await startCheckout(engine, anOrder({ total: { minor: 6000, currency: "XOF" } }));
    expect(start).toMatchObject({ url: "https://pay.service.example/session-2" });
    expect(service.sessions.get("session-2")?.body.amount).toBe(6000);
    const old = await expectPaymentIn("superseded");
    expect(old.nextCheckAt).not.toBeNull();
  });

  it("a session that expires soon is replaced by a new session", async () => {
    const { engine, clock, expectPaymentIn } = createEngineFixture();
    await startCheckout(engine, anOrder());
    await clock.advance(SESSION_NEARLY_OVER_MS);
    expect(await startCheckout(engine, anOrder())).toMatchObject({ url: "https://pay.service.example/session-2" });
    await expectPaymentIn("superseded");
  });

  it("a shopper who has paid already is not sent to pay again when the webhook is lost", async () => {
    const { engine, service, clock } = createEngineFixture();
    const first = await startCheckout(engine, anOrder());
    service.pay("session-1");
    await clock.advance(SESSION_NEARLY_OVER_MS);
    const again = await startCheckout(engine, anOrder());
    expect(again).toEqual({ status: "paid", paymentId: first.paymentId });
    expect(service.sessions.size).toBe(1);
  });

  it("an order that the store shows as paid opens no session", async () => {
    const { engine, service } = createEngineFixture();
    expect(await startCheckout(engine, anOrder({ paidBy: "outside" }))).toEqual({ status: "paid", paymentId: null });
    expect(service.posts).toHaveLength(0);
  });

  it("an order with a payment under review opens no session", async () => {
    const { engine, service, clock } = createEngineFixture();
    const { paymentId } = await startCheckout(engine, anOrder());
    const session = service.sessions.get("session-1");
    if (session) Object.assign(session, { status: "completed", overrides: { wireAmount: 50 } });
    await clock.advance(SESSION_NEARLY_OVER_MS);
    expect(await startCheckout(engine, anOrder())).toEqual({ status: "held", paymentId });
  });

  it("a cancelled order opens no session and throws order_not_payable", async () => {
    const { engine } = createEngineFixture();
    await expect(startCheckout(engine, anOrder({ payable: false }))).rejects.toMatchObject({
      code: "order_not_payable",
    });
  });

  it("a checkout that failed in an outage repeats the same request under the same key later", async () => {
    const { engine, service } = createEngineFixture();
    service.fail = "down";
    await expect(startCheckout(engine, anOrder())).rejects.toMatchObject({
      code: "service_unavailable",
      retryable: true,
    });
    service.fail = null;
    await startCheckout(engine, anOrder({ title: "Changed meanwhile" }));
    expect(service.posts[1]).toEqual(service.posts[0]);
  });

  it("a session that was opened but not saved is found again although the title changed since", async () => {
    const { engine, service } = createEngineFixture();
    service.lostResponses = 1;
    await expect(startCheckout(engine, anOrder())).rejects.toMatchObject({ retryable: true });
    await startCheckout(engine, anOrder({ title: "Another title" }));
    expect(service.sessions.size).toBe(1);
    expect(service.sessions.get("session-1")?.body.title).toBe("Order 1042");
  });

  it("a checkout days after a lost response opens a new session, because the old key may have expired", async () => {
    const { engine, service, clock, expectPaymentIn } = createEngineFixture();
    service.lostResponses = 1;
    await expect(startCheckout(engine, anOrder())).rejects.toThrow();
    await clock.advance(limits.keyLifeMs);
    await startCheckout(engine, anOrder());
    expect(new Set(service.posts.map(({ key }) => key)).size).toBe(2);
    await expectPaymentIn("closed");
  });

  it("a refused checkout throws session_refused, and the next checkout is a new payment", async () => {
    const { engine, service, expectPaymentIn } = createEngineFixture();
    service.fail = "refuse";
    await expect(startCheckout(engine, anOrder())).rejects.toMatchObject({ code: "session_refused" });
    await expectPaymentIn("closed");
    service.fail = null;
    await startCheckout(engine, anOrder());
    expect(service.posts[0]?.key).not.toBe(service.posts[1]?.key);
  });

  it("a platform attempt that moved to a changed cart does not block a new payment", async () => {
    const { engine, ledger } = createEngineFixture();
    await startCheckout(engine, anOrder({ attempt: "payses_1" }));
    const moved = anOrder({ ref: { storeId: "shop", orderId: "1043" }, attempt: "payses_1" });
    const start = await startCheckout(engine, moved);
    expect(start).toMatchObject({ status: "redirect" });
    const newest = await ledger.find({ attempt: "payses_1", storeId: "shop" });
    expect(newest?.ref.orderId).toBe("1043");
  });

  it("a shopper gets one page even if sessions live for five minutes or the service's clock is an hour behind", async () => {
    // A session of an hour that opened an hour and a minute ago by our clock has expired already.
    for (const expiresInMs of [5 * MINUTE, -MINUTE]) {
      const { engine, service, clock } = createEngineFixture();
      service.sessionMs = expiresInMs;
      expect(await startCheckout(engine, anOrder())).toMatchObject({ status: "redirect" });
      expect(service.sessions.size).toBe(1);
      await clock.advance(MINUTE);
    }
  });

  it("a long order title is shortened to what the service accepts", async () => {
    const { engine, service } = createEngineFixture();
    await startCheckout(engine, anOrder({ title: "🧵".repeat(400) }));
    expect([...String(service.sessions.get("session-1")?.body.title)]).toHaveLength(255);
  });

  it.each([
    [{ total: { minor: 0, currency: "XOF" } }, "amount_invalid"],
    [{ total: { minor: 100, currency: "GHS" } }, "currency_not_supported"],
  ])("an order with an unsupported total is rejected: %j", async (change, code) => {
    const { engine, service } = createEngineFixture();
    await expect(startCheckout(engine, anOrder(change))).rejects.toMatchObject({ code });
    expect(service.posts).toHaveLength(0);
  });
});
