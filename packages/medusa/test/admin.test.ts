import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { confirmPayment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GET as ofOrder } from "../src/api/admin/tillkit/orders/[id]/route.ts";
import { POST as accept } from "../src/api/admin/tillkit/payments/[id]/accept/route.ts";
import { POST as check } from "../src/api/admin/tillkit/payments/[id]/check/route.ts";
import { POST as giveBack } from "../src/api/admin/tillkit/payments/[id]/refund/route.ts";
import { GET as read } from "../src/api/admin/tillkit/payments/[id]/route.ts";
import { GET as list } from "../src/api/admin/tillkit/payments/route.ts";
import { openWorld, type World } from "./world.ts";

type Route = (request: AuthenticatedMedusaRequest, response: MedusaResponse) => Promise<void>;

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** What the admin would get: Medusa has looked at the login already. */
async function ask(route: Route, params: object = {}, query: object = {}) {
  const answer = { status: 0, body: undefined as unknown };
  const response = {
    status(status: number) {
      answer.status = status;
      return response;
    },
    json(body: unknown) {
      answer.body = body;
    },
  };
  const request = {
    params,
    query,
    auth_context: { actor_id: "user_01" },
    scope: { resolve: () => ({ till: () => world.till() }) },
  };
  await route(request as unknown as AuthenticatedMedusaRequest, response as unknown as MedusaResponse);
  return answer;
}

async function paidWith(patch: Record<string, unknown>) {
  const { cart, session } = await world.beginCheckout();
  const payment = await world.payment(session);
  await world.pay(session);
  const fault = { method: "GET", path: "/checkout-sessions/{id}", when: "after", patch, times: 1_000 } as const;
  await world.sandbox.control.addFault(fault);
  await confirmPayment((await world.till()).engine, payment.id, { actor: "webhook" });
  return { cart, session, id: payment.id };
}

describe("the page of payments that need a look", () => {
  it("lists money that does not fit, with what differs, and nothing that goes its way", async () => {
    await world.buy();
    await world.beginCheckout();
    const { id } = await paidWith({ amount: 1_140 });
    expect((await ask(list)).body).toMatchObject({
      payments: [{ id, state: "review", order_id: null, can_accept: true, can_refund: true }],
      next: null,
      given_up: 0,
      orphan_webhooks: 0,
    });
    const { payments } = (await ask(list)).body as { payments: { finding: string; history: unknown[] }[] };
    expect(payments[0]?.finding).toContain("$11.40");
    expect(payments[0]?.history.length).toBeGreaterThan(2);
    expect(JSON.stringify(payments)).not.toMatch(/svc_sk|whsec|@/);
  });

  it("speaks French to whom the admin does", async () => {
    const { id } = await paidWith({ amount: 1_140 });
    const { payment } = (await ask(read, { id }, { language: "fr" })).body as { payment: { finding: string } };
    expect(payment.finding).toMatch(/11,40/);
  });

  it("gives money back when it is told to, and shows it among those", async () => {
    const { id } = await paidWith({ currency_code: "EUR" });
    await world.sandbox.control.clearFaults();
    const answer = await ask(giveBack, { id });
    expect(answer.status).toBe(200);
    expect(await world.refundsAtService()).toEqual([2_280]);
    expect((await ask(list, {}, { show: "refunded" })).body).toMatchObject({ payments: [{ id, state: "refunded" }] });
    expect((await ask(list)).body).toMatchObject({ payments: [] });
  });

  it("gives nothing back of an order that is well: that is done on the order", async () => {
    const { session } = await world.buy();
    const { id } = await world.payment(session);
    await expect(ask(giveBack, { id })).rejects.toMatchObject({ type: "not_allowed" });
    await expect(ask(giveBack, { id }, { language: "fr" })).rejects.toThrow(
      "remboursez une commande depuis sa propre page",
    );
    expect(await world.refundsAtService()).toEqual([]);
  });

  it("lets a difference pass that its owner accepts, and the order is placed", async () => {
    const { id } = await paidWith({ amount: 2_279 });
    expect((await ask(accept, { id })).status).toBe(200);
    expect(world.medusa.shop.orders).toHaveLength(1);
    const { payment } = (await ask(read, { id })).body as { payment: { state: string; history: { text: string }[] } };
    expect(payment.state).toBe("recorded");
    expect(payment.history.map(({ text }) => text).join()).toContain("user_01");
  });

  it("does not know payments that are not there", async () => {
    expect((await ask(check, { id: "nobody" })).status).toBe(404);
  });
});

describe("the widget on an order", () => {
  it("shows the payment behind it, and reads it anew when asked", async () => {
    const { session } = await world.buy();
    const [order] = world.medusa.shop.orders;
    const { id } = await world.payment(session);
    expect((await ask(ofOrder, { id: order?.id })).body).toMatchObject({
      payments: [{ id, order_id: order?.id, order_name: "#1", checkout_session_id: session.data.checkout_session_id }],
    });
    expect((await ask(check, { id })).body).toMatchObject({ payment: { state: "recorded" } });
  });

  it("shows nothing on an order that was paid otherwise", async () => {
    expect((await ask(ofOrder, { id: "order_elsewhere" })).body).toEqual({ payments: [] });
    expect((await ask(ofOrder, { id: "" })).body).toEqual({ payments: [] });
  });
});
