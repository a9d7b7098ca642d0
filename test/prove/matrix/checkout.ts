import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { createMemoryLedger, type Money, type Payment, refundPayment, silentLog, verifyPayment } from "@tillkit/core";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { type CheckoutServer, createCheckoutServer } from "@tillkit/server";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import type { ServiceFault } from "./faults.ts";
import { loopbackIsQuiet } from "./loopback.ts";
import type { Opener } from "./places.ts";

const TOTAL: Money = { minor: 5_000, currency: "XOF" };
const KEY = "a key of the matrix that is long enough to sign with";
/** In virtual time: the timer alone needs ten minutes, a store that is left alone after a lost write two more. */
const PAID_WITHIN_MS = 13 * 60_000;
const AFTERWARDS_MS = 3 * 60_000;
/** First in small steps, while most happens. */
const SMALL_STEP_MS = 500;
const STEP_MS = 2_000;
const BUSY_MS = 30_000;
/** How soon a shopper presses again who saw an error. */
const PRESS_AGAIN_MS = 15_000;
const MOST_PRESSES = 60;

/**
 * One checkout through a shop's adapter, the checkout server and the sandbox, over HTTP, while the service does what the
 * fault says. Answers what went wrong, null when the order was paid once and rightly.
 */
export async function checkout(openPlace: Opener, fault: ServiceFault): Promise<string | null> {
  const clock = createManualClock();
  const ledger = createMemoryLedger();
  const sandbox = await createSandbox({ clock });
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const place = await openPlace({ clock, ledger, authorize: (id) => verifyPayment(till.engine, id) });
  const till: CheckoutServer = createCheckoutServer({
    publicUrl: origin,
    keys: [KEY],
    ledger,
    stores: { [place.storeId]: place.adapter },
    credentials: [await register(sandbox, place.storeId, origin)],
    clock,
    callClock: clock,
    log: silentLog,
  });
  http.on(
    "request",
    till.listener((_request, response) => void response.writeHead(404).end()),
  );
  till.startTimer();
  try {
    return await payAndLook({ clock, sandbox, till, place, find: (id) => ledger.find({ id }) }, fault);
  } finally {
    await till.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    await sandbox.close();
    await place.close();
  }
}

type Scene = {
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
  readonly till: CheckoutServer;
  readonly place: Awaited<ReturnType<Opener>>;
  find(paymentId: string): Promise<Payment | null>;
};

async function payAndLook(scene: Scene, fault: ServiceFault): Promise<string | null> {
  const { sandbox, place, find } = scene;
  await sandbox.control.changeSettings(fault.settings ?? {});
  for (const one of fault.faults ?? []) await sandbox.control.addFault(one);
  const placed = await place.placeOrder(TOTAL);
  const { paymentId, sessionId } = await pressPay(scene, placed);
  await sandbox.control.paySession(sessionId, { method: "wave", outcome: "completed" });

  const recorded = async () => (await find(paymentId))?.state === "recorded";
  if (!(await passUntil(scene, PAID_WITHIN_MS, recorded)))
    return `the payment is still ${(await find(paymentId))?.state}`;
  await passUntil(scene, AFTERWARDS_MS, async () => false);
  const times = await place.timesPaid(placed);
  if (times !== 1) return `the order was marked paid ${times} times`;
  const shown = await place.paidBy(placed);
  if (shown !== paymentId) return `the order shows the payment ${shown}`;
  const wrong = await wrongMoney(scene, sessionId);
  if (wrong !== null) return wrong;
  return fault.refund ? await giveBack(scene, paymentId) : null;
}

/** As a shopper does: again, when it did not work. */
async function pressPay(
  scene: Scene,
  placed: Parameters<Scene["place"]["began"]>[0],
): Promise<{ paymentId: string; sessionId: string }> {
  const { place, till, find } = scene;
  for (let press = 0; press < MOST_PRESSES; press += 1) {
    const order = await place.adapter.findOrder(placed.ref, placed.attempt);
    if (!order) throw new Error("The shop does not know its own order.");
    const start = await meanwhile(scene, till.startCheckout(order)).catch(() => null);
    if (start?.say !== "redirect") {
      await passUntil(scene, PRESS_AGAIN_MS, async () => false);
      continue;
    }
    place.began(placed, start.paymentId);
    const payment = await find(start.paymentId);
    return { paymentId: start.paymentId, sessionId: payment?.session?.id ?? "" };
  }
  throw new Error("The shopper was never sent to pay.");
}

/** The service has one session of this order, paid with exactly its total. */
async function wrongMoney({ sandbox }: Scene, sessionId: string): Promise<string | null> {
  await sandbox.control.changeSettings({ wrap: "none", narrowReads: false });
  await sandbox.control.clearFaults();
  const response = await fetch(`${sandbox.controlUrl}/checkout-sessions`);
  const { data } = (await response.json()) as {
    data: { id: string; amount: number; currency_code: string; status: string }[];
  };
  const [session] = data;
  if (data.length !== 1 || session?.id !== sessionId) return `the service has ${data.length} sessions of one order`;
  const { amount, currency_code: currency, status } = session;
  const right = amount === TOTAL.minor && currency === TOTAL.currency && status === "completed";
  return right ? null : `the session is ${status} with ${amount} ${currency}`;
}

async function giveBack(scene: Scene, paymentId: string): Promise<string | null> {
  const { till, sandbox, find } = scene;
  const wish = { paymentId, key: "refund-1", amount: TOTAL, origin: "store" } as const;
  const ask = () => meanwhile(scene, refundPayment(till.engine, wish));
  const { refundId, state } = await ask();
  if (state === "pending") await sandbox.control.completeRefund(refundId ?? "");
  const refunded = async () => (await find(paymentId))?.state === "refunded";
  if (!(await passUntil(scene, PAID_WITHIN_MS, refunded)))
    return `the refund is ${state}, the payment ${(await find(paymentId))?.state}`;
  const again = await ask();
  return again.refundId === refundId ? null : "a second click gave money back again";
}

/** Time passes for everybody until it is so; false when it never was. */
async function passUntil(scene: Scene, ms: number, check: () => Promise<boolean>): Promise<boolean> {
  const start = scene.clock.now();
  for (let passed = 0; passed < ms; passed = scene.clock.now() - start) {
    if (await check()) return true;
    await pass(scene, passed < BUSY_MS ? SMALL_STEP_MS : STEP_MS);
  }
  return await check();
}

async function meanwhile<Answer>(scene: Scene, work: Promise<Answer>): Promise<Answer> {
  let over = false;
  const settled = work.finally(() => {
    over = true;
  });
  settled.catch(() => undefined);
  while (!over) await pass(scene, SMALL_STEP_MS);
  return await settled;
}

async function pass({ clock, sandbox }: Scene, ms: number): Promise<void> {
  await clock.advance(ms);
  // The sandbox looks at this very clock: moved by nothing, it does what fell due.
  await sandbox.control.advanceClock(0);
  await loopbackIsQuiet();
}

async function register({ baseUrl, keys }: Sandbox, storeId: string, origin: string) {
  const apiKey = keys.test.secret;
  const client = createServiceClient({ apiKey, baseUrl });
  const { data } = await client.webhooks.create({
    url: `${origin}/hooks/service/main`,
    authorized_events: ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED", "REFUND_COMPLETED", "REFUND_FAILED"],
  });
  return { storeIds: [storeId], apiKey, baseUrl, endpointId: "main", webhookSecrets: [data.secret ?? ""] };
}
