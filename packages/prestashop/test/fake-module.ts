import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock, Language, Money } from "@tillkit/core";
import { type CallPurpose, type LinkSecrets, verifyCall } from "@tillkit/php-bridge";
import {
  type Answer,
  type Body,
  errorAnswer,
  type FakeOrder,
  listOrders,
  markPaid,
  readOrder,
  WRITES,
} from "./fake-orders.ts";

/** `secrets` null: the shop is not connected yet. */
export type FakeModuleOptions = {
  readonly clock: Clock;
  readonly store: string;
  readonly secrets: LinkSecrets | null;
};

/** `lateMs`: the call takes effect after this time. `dies-after-claim`: the process ends after it has named its payment on the order. */
export type CallFault = "lost-before-effect" | "lost-after-effect" | "dies-after-claim" | { readonly lateMs: number };

type Call = { readonly purpose: string; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer };

/** How long a call waits for the lock of an order. */
const LOCK_WAIT_MS = 10_000;

/**
 * A shop with the module on this machine, over HTTP: what the protocol and the traps of the platform show on the wire, written after
 * PROTOCOL.md of the bridge and without the module's code.
 */
export async function startFakeModule(options: FakeModuleOptions) {
  const { clock } = options;
  const faults: CallFault[] = [];
  const calls: string[] = [];
  const state = { heldCalls: 0, clockOffsetMs: 0, isInstalled: true };
  const seconds = () => Math.floor((clock.now() + state.clockOffsetMs) / 1_000);
  const module = createModule(options, seconds);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    // Another host name than the shop's own is redirected, and a module that is not there is a page.
    if (request.headers.host?.startsWith("localhost"))
      return void response.writeHead(302, { Location: origin() }).end();
    if (call === null || !state.isInstalled)
      return void response.writeHead(404, { "Content-Type": "text/html" }).end("<!doctype html><title>404</title>");
    if (call.purpose === "pair") return sendJson(response, module.pair(call, origin()));
    calls.push(call.purpose);
    const fault = READS.includes(call.purpose) ? undefined : faults.shift();
    if (fault === "lost-before-effect") return void response.destroy();
    if (typeof fault === "object") await delay(fault.lateMs);
    const answer = await module.answer(call, origin(), fault === "dies-after-claim");
    if (fault === "lost-after-effect") return void response.destroy();
    sendJson(response, answer);
  }

  async function delay(ms: number): Promise<void> {
    state.heldCalls += 1;
    await clock.sleep(ms);
    state.heldCalls -= 1;
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = () => `http://127.0.0.1:${port}`;

  return {
    ...{ url: origin(), state, calls, orders: module.orders, holdLock: module.holdLock, close },
    place: (input: OrderInput) => module.place(input, origin()),
    linkSecret: module.linkSecret,
    /** The form that the owner's browser carries to the checkout server. */
    startPairing: (checkoutServer: string) => module.startPairing(checkoutServer, origin()),
    failNextCall: (fault: CallFault) => void faults.push(fault),
    async whileDown(work: () => Promise<void>): Promise<void> {
      await close();
      await work().finally(() => listen(port));
    },
  };
}

type OrderInput = { readonly total: Money; readonly title: string; readonly language: Language };

function sendJson(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(body));
}

const READS: readonly string[] = ["read-order", "list-orders", "ping"];

/** Null: the address is not that of the module. */
async function readCall(request: IncomingMessage): Promise<Call | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { fc, module, controller, purpose } = Object.fromEntries(
    new URL(request.url ?? "/", "http://shop").searchParams,
  );
  const isCall = request.method === "POST" && `${fc} ${module} ${controller}` === "module tillkit call";
  return isCall ? { purpose: purpose ?? "", headers: request.headers, bytes: Buffer.concat(chunks) } : null;
}

/** The orders of the shop, and the module's answers about them. */
function createModule({ clock, store, secrets: given }: FakeModuleOptions, seconds: () => number) {
  const orders = new Map<string, FakeOrder>();
  let secrets = given;
  let pairing: { readonly code: string; readonly checkoutServer: string } | null = null;
  const locks = new Map<string, Promise<void>>();

  async function answer({ purpose, headers, bytes }: Call, origin: string, dies: boolean): Promise<Answer> {
    const header = (name: string) => String(headers[name] ?? "");
    const time = header("x-tillkit-time");
    const call = { purpose: purpose as CallPurpose, store: header("x-tillkit-store"), time, body: bytes };
    const signature = header("x-tillkit-signature");
    const verification =
      secrets === null ? "signature_invalid" : verifyCall(call, signature, secrets, seconds() * 1_000);
    if (verification === "signature_invalid" || call.store !== store) return errorAnswer(401, "signature_invalid");
    if (verification === "clock_differs") return errorAnswer(401, "clock_differs", { now: seconds() });
    const body = JSON.parse(bytes.toString("utf8")) as Body;
    if (purpose === "ping") return { status: 200, body: { protocol: 1, plugin: "0.1.0", currency: "XOF" } };
    if (purpose === "list-orders") return listOrders([...orders.values()], body);
    if (purpose === "read-order") return readOrder(orders.get(String(body.order)), body.key, origin);
    return await underLock(String(body.order), () => write(purpose, body, dies));
  }

  /** Takes a place in the order's queue. A call that waits too long leaves it. */
  async function underLock(id: string, work: () => Answer): Promise<Answer> {
    const before = locks.get(id) ?? Promise.resolve();
    const release = holdLock(id);
    const answered = new AbortController();
    const tooLate = clock.sleep(LOCK_WAIT_MS, answered.signal).then(
      () => true,
      () => false,
    );
    try {
      return (await Promise.race([before.then(() => false), tooLate])) ? errorAnswer(503, "busy") : work();
    } finally {
      answered.abort();
      release();
    }
  }

  /** Holds the lock of an order until the returned function is called, as a person at the order's page does. */
  function holdLock(id: string): () => void {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    locks.set(
      id,
      (locks.get(id) ?? Promise.resolve()).then(() => held),
    );
    return () => release();
  }

  function write(purpose: string, body: Body, dies: boolean): Answer {
    const order = orders.get(String(body.order));
    if (purpose === "mark-paid") return markPaid(order, body, seconds(), dies);
    const outcome = order && order.key === body.key ? WRITES[purpose]?.(order, body) : "gone";
    if (typeof outcome === "object") return outcome;
    if (outcome === undefined) return errorAnswer(400, "bad_request");
    const { order: id, marker, refund } = body;
    return { status: 200, body: { outcome, order: id, marker, refund, status: order?.state } };
  }

  function place(input: OrderInput, origin: string): FakeOrder {
    const id = String(1_042 + orders.size);
    const order: FakeOrder = {
      ...{ id, key: `key-of-${id}`, ...input, state: "waiting", module: "tillkit", paymentId: null, isRecorded: false },
      ...{ hasBeenPaid: false, markedBy: null, fence: null, notes: [], refunds: [], reasons: [], rows: [] },
      ...{ timesPaid: 0, changed: seconds(), returnUrl: `${origin}/confirmation` },
    };
    orders.set(id, order);
    return order;
  }

  function startPairing(checkoutServer: string, shop: string) {
    pairing = { code: randomBytes(32).toString("hex"), checkoutServer };
    return { shop, code: pairing.code, language: "en" };
  }

  /** The exchange of the one-time code, the only call without a signature. */
  function pair({ bytes }: Call, origin: string): Answer {
    const body = JSON.parse(bytes.toString("utf8")) as Body;
    if (pairing?.code !== body.code || pairing?.checkoutServer !== body.checkout_server)
      return errorAnswer(403, "pairing_refused");
    pairing = null;
    const secret = randomBytes(32).toString("hex");
    secrets = secrets === null ? [secret] : [secret, secrets[0]];
    const settings_url = `${origin}/admin4711/index.php?controller=AdminModules&configure=tillkit`;
    return {
      status: 200,
      body: { protocol: 1, store: body.store, link_secret: secret, settings_url, currency: "XOF" },
    };
  }

  const linkSecret = () => secrets?.[0] ?? "";
  return { orders, answer, holdLock, place, startPairing, pair, linkSecret };
}
