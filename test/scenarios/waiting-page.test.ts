import { createBudget, createServiceClient, type Transport, type TransportAnswer } from "@tillkit/client";
import { type Payment, runDue, type Service, serviceFromClient, startCheckout, watchPayment } from "@tillkit/core";
import type { ManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import type { PretendService } from "./pretend-service.ts";
import { MINUTE, openScene, type Scene, SECOND } from "./scene.ts";

const SHOPPERS = 200;
const CALLS_A_MINUTE = 60;

describe("200 shoppers on the waiting page", () => {
  it("16 · stay under 60 calls a minute without any webhook, all are served within ten minutes, and others can still begin to pay", {
    timeout: 60_000,
  }, async () => {
    const scene = await openScene("blind", { reach: overBudget });
    const payments = await everybodyOpens(scene);
    const begin = scene.clock.now();
    for (const payment of payments) scene.service.pay(payment);

    const newcomers: Promise<unknown>[] = [];
    while (scene.clock.now() < begin + 10 * MINUTE) {
      for (const { id } of payments) await watchPayment(scene.engine(), id);
      if ((scene.clock.now() - begin) % (20 * SECOND) === 0) newcomers.push(openAnother(scene));
      void runDue(scene.engine());
      await scene.clock.advance(2 * SECOND);
    }

    expect(mostInAMinute(scene.service)).toBeLessThanOrEqual(CALLS_A_MINUTE);
    const paid = new Set(scene.store.probe.effects().map(({ paymentId }) => paymentId));
    expect(payments.filter(({ id }) => !paid.has(id))).toEqual([]);
    expect(scene.store.probe.effects()).toHaveLength(SHOPPERS);
    const opened = await Promise.allSettled(newcomers);
    expect(opened.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(opened).toHaveLength(30);
  });
});

async function everybodyOpens(scene: Scene): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (let shopper = 0; shopper < SHOPPERS; shopper += 1) {
    const pressing = scene.placeOrder().then(scene.pressPay);
    await scene.clock.advance(1.5 * SECOND);
    payments.push(await pressing);
  }
  return payments;
}

async function openAnother(scene: Scene): Promise<void> {
  const { ref, attempt } = await scene.placeOrder();
  const order = await scene.store.adapter.findOrder(ref, attempt);
  if (!order) throw new Error("The order was placed a moment ago.");
  await startCheckout(scene.engine(), order);
}

function mostInAMinute({ calls }: PretendService): number {
  const times = calls.map(({ at }) => at);
  let first = 0;
  return times.reduce((most, at, index) => {
    while ((times[first] ?? at) <= at - MINUTE) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

/** The real client with the budget of a live key, over a wire that leads to the pretended service. */
function overBudget({ port }: PretendService, clock: ManualClock): Service {
  const transport: Transport = async ({ method, url, headers, body }) => {
    const path = new URL(url).pathname;
    if (method === "POST") {
      const request = new TextDecoder().decode(body);
      const key = headerOf(headers, "idempotency-key");
      const session = await port.openSession({ request, key, account: null, deadlineMs: 0 });
      const answer = { checkout_session_id: session.id, checkout_url: session.url };
      return asAnswer(201, { ...answer, expires_at: new Date(session.expiresAt).toISOString() });
    }
    const id = decodeURIComponent(path.split("/").at(-1) ?? "");
    const reading = await port.readSession({ session: { id } } as Payment, 0);
    return asAnswer(200, {
      id,
      status: reading.status,
      amount: reading.wireAmount,
      currency_code: reading.currency,
      metadata: { tillkit_reference: reading.reference },
      transaction_id: reading.transactionId,
    });
  };
  const client = createServiceClient({
    apiKey: `svc_sk_test_${"a".repeat(32)}`,
    baseUrl: "https://api.service.example",
    budget: createBudget({ environment: "live", clock }),
    clock,
    transport,
  });
  return serviceFromClient(client, clock);
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
}

function asAnswer(status: number, body: object): TransportAnswer {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: new TextEncoder().encode(JSON.stringify(body)) };
}
