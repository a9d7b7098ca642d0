import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { type Money, silentLog, verifyPayment } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import { createManualClock, type PlacedOrder } from "@tillkit/testkit";
import type { ServiceFault } from "./faults.ts";
import { advanceHours, advanceUntil, advanceWhile, type MatrixFixture } from "./fixture.ts";
import { disableFaults, refundInParts } from "./refund-in-parts.ts";
import type { OpenStore } from "./test-stores.ts";

const TOTAL: Money = { minor: 5_000, currency: "XOF" };
const KEY = "a key of the matrix that is long enough to sign with";
/** In virtual time. The timer alone needs ten minutes, and the settling time after a lost write two more. */
const PAID_WITHIN_MS = 13 * 60_000;
const SETTLE_MS = 3 * 60_000;
/** How soon a shopper tries again after an error. */
const PRESS_INTERVAL_MS = 15_000;
const MAX_PRESSES = 60;
const TEN_MINUTES_MS = 10 * 60_000;
/** How often a shopper who came back without paying checks the waiting page. */
const UNPAID_CHECKS = 8;

/**
 * Runs one checkout through a shop's adapter, the checkout server and the sandbox over HTTP while the service has this fault.
 * Returns what went wrong, or null if the order was paid once and correctly.
 */
export async function checkout(openStore: OpenStore, fault: ServiceFault): Promise<string | null> {
  const clock = createManualClock();
  const ledger = createMemoryLedger();
  const sandbox = await createSandbox({ clock });
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const store = await openStore({ clock, ledger, authorize: (id) => verifyPayment(server.engine, id) });
  const server: CheckoutServer = createCheckoutServer({
    publicUrl: origin,
    keys: [KEY],
    ledger,
    stores: { [store.storeId]: store.adapter },
    credentials: [await registerEndpoint(sandbox, store.storeId, origin)],
    clock,
    callClock: clock,
    log: silentLog,
  });
  http.on(
    "request",
    server.listener((_request, response) => void response.writeHead(404).end()),
  );
  server.startTimer();
  try {
    const reads = { find: (id: string) => ledger.find({ id }), refunds: (id: string) => ledger.refunds(id) };
    return await payAndCheck({ clock, sandbox, server, store, ...reads }, fault);
  } finally {
    await server.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    await sandbox.close();
    await store.close();
  }
}

async function payAndCheck(fixture: MatrixFixture, fault: ServiceFault): Promise<string | null> {
  const { sandbox, store, find } = fixture;
  await sandbox.control.changeSettings(fault.settings ?? {});
  for (const request of fault.faults ?? []) await sandbox.control.addFault(request);
  const placed = await store.placeOrder(TOTAL);
  const { paymentId, sessionId } = await openCheckout(fixture, placed, fault);
  if (fault.declinedFirst) await sandbox.control.paySession(sessionId, { method: "wave", outcome: "failed" });
  const paid = await sandbox.control.paySession(sessionId, { method: "wave", outcome: "completed" });

  await advanceHours(fixture, fault.readsDownMs ?? 0);
  const recorded = async () => (await find(paymentId))?.state === "recorded";
  if (!(await advanceUntil(fixture, PAID_WITHIN_MS, recorded)))
    return `the payment is still ${(await find(paymentId))?.state}`;
  await advanceUntil(fixture, SETTLE_MS, async () => false);
  const problem =
    (await findOrderProblem(fixture, placed, paymentId)) ?? (await findSessionProblem(fixture, sessionId));
  if (problem !== null || !fault.refund) return problem;
  await sandbox.control.changeSettings(fault.settings ?? {});
  for (const request of fault.refund) await sandbox.control.addFault(request);
  return await refundInParts(fixture, { paymentId, transactionId: String(paid.transaction_id), total: TOTAL }, fault);
}

/** Sends the shopper to pay. A shopper who comes back without paying is sent again within ten minutes. */
async function openCheckout(fixture: MatrixFixture, placed: PlacedOrder, { afterUnpaidReturn }: ServiceFault) {
  const first = await startPayment(fixture, placed, MAX_PRESSES);
  if (afterUnpaidReturn === undefined) return first;
  for (const request of afterUnpaidReturn) await fixture.sandbox.control.addFault(request);
  for (let check = 0; check < UNPAID_CHECKS; check += 1) {
    await advanceWhile(fixture, verifyPayment(fixture.server.engine, first.paymentId)).catch(() => null);
    await advanceUntil(fixture, PRESS_INTERVAL_MS, async () => false);
  }
  return await startPayment(fixture, placed, TEN_MINUTES_MS / PRESS_INTERVAL_MS);
}

/** Starts the payment and tries again after an error, like a shopper. */
async function startPayment(
  fixture: MatrixFixture,
  placed: PlacedOrder,
  maxPresses: number,
): Promise<{ paymentId: string; sessionId: string }> {
  const { store, server, find } = fixture;
  let lastStatus = "";
  for (let press = 0; press < maxPresses; press += 1) {
    const order = await store.adapter.findOrder(placed.ref, placed.attempt);
    if (!order) throw new Error("The shop does not know its own order.");
    const start = await advanceWhile(fixture, server.startCheckout(order)).catch((error: unknown) => String(error));
    if (typeof start !== "string" && start.status === "redirect") {
      store.attachPayment(placed, start.paymentId);
      const payment = await find(start.paymentId);
      return { paymentId: start.paymentId, sessionId: payment?.session?.id ?? "" };
    }
    lastStatus = typeof start === "string" ? start : start.status;
    await advanceUntil(fixture, PRESS_INTERVAL_MS, async () => false);
  }
  throw new Error(`The shopper was not sent to pay within ${maxPresses} presses of the button, last: ${lastStatus}.`);
}

async function findOrderProblem(
  { store }: MatrixFixture,
  placed: PlacedOrder,
  paymentId: string,
): Promise<string | null> {
  const times = await store.timesPaid(placed);
  if (times !== 1) return `the order was marked paid ${times} times`;
  const shown = await store.paidBy(placed);
  return shown === paymentId ? null : `the order shows the payment ${shown}`;
}

/** Checks that exactly one session of the order is completed: the shopper's session, with the order's total. */
async function findSessionProblem({ sandbox }: MatrixFixture, sessionId: string): Promise<string | null> {
  await disableFaults(sandbox);
  const response = await fetch(`${sandbox.controlUrl}/checkout-sessions`);
  const { data } = (await response.json()) as {
    data: { id: string; amount: number; currency_code: string; status: string }[];
  };
  const completed = data.filter(({ status }) => status === "completed");
  const [session] = completed;
  if (completed.length !== 1 || session?.id !== sessionId) return `${completed.length} sessions of one order are paid`;
  const { amount, currency_code: currency } = session;
  const matches = amount === TOTAL.minor && currency === TOTAL.currency;
  return matches ? null : `the session is paid with ${amount} ${currency}`;
}

async function registerEndpoint({ baseUrl, keys }: Sandbox, storeId: string, origin: string) {
  const apiKey = keys.test.secret;
  const client = createServiceClient({ apiKey, baseUrl });
  const { data } = await client.webhooks.create({
    url: `${origin}/hooks/service/main`,
    authorized_events: ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED", "REFUND_COMPLETED", "REFUND_FAILED"],
  });
  return { storeIds: [storeId], apiKey, baseUrl, endpointId: "main", webhookSecrets: [data.secret ?? ""] };
}
