import { signWebhook } from "@tillkit/client/webhooks";
import {
  createEngine,
  gatherMovements,
  nameTransaction,
  type Payment,
  receiveWebhook,
  recoverPayments,
  refundPayment,
  runDue,
  startCheckout,
} from "@tillkit/core";
import { createTenants } from "@tillkit/core/hosts";
import { equationOf } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createManualClock, createReadThenWriteStore, createSeededRandom } from "@tillkit/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const SECRET = "whsec_of_the_hostile_histories";
const MINUTE = 60_000;
const francs = (minor: number) => ({ minor, currency: "XOF" });

/** A shop of one order, our engine with the real client, and the sandbox, whose events a test delivers one by one. */
async function openHistory(sandbox: Sandbox) {
  const clock = createManualClock(Date.now());
  const store = createReadThenWriteStore({ clock });
  const credential = {
    id: "key",
    storeIds: [store.storeId],
    apiKey: sandbox.keys.test.secret,
    baseUrl: sandbox.baseUrl,
    endpointId: "main",
    webhookSecrets: [SECRET] as const,
  };
  const engineOn = (ledger: ReturnType<typeof createMemoryLedger>) =>
    createEngine({
      ledger,
      autoRefund: [],
      clock,
      random: createSeededRandom(11),
      worker: "one",
      tenants: createTenants({ credentials: [credential], clock }),
      store: async () => store.adapter,
      log: { info() {}, warn() {}, error() {} },
      referenceKeys: ["a key of the hostile histories that is long enough"],
      returnUrls: ({ id }) => ({ success: `https://shop.example/${id}`, cancel: "https://shop.example/cancel" }),
    });
  let ledger = createMemoryLedger();
  let engine = engineOn(ledger);
  const placed = await store.placeOrder({ total: francs(5000), title: "Panier", language: "fr" });
  const order = await store.adapter.findOrder(placed.ref, placed.attempt);
  if (!order) throw new Error("There is no order.");
  const { paymentId } = await startCheckout(engine, order);
  const history = {
    paymentId: paymentId ?? "",
    engine: () => engine,
    effects: () => store.probe.effects(placed.ref.orderId),
    payment: async () => (await ledger.find({ id: history.paymentId })) as Payment,
    money: async () => gatherMovements(ledger, history.paymentId),
    /** The ledger forgets everything but the payment as a backup knew it; null: it forgets that too. */
    async restore(backup: Payment | null) {
      ledger = createMemoryLedger();
      if (backup) await ledger.commit({ payment: { next: { ...backup, version: 1 }, expect: "new" }, timeline: [] });
      engine = engineOn(ledger);
    },
    async work(minutes = 5) {
      for (let minute = 0; minute < minutes; minute += 1) {
        while ((await runDue(engine)).done > 0);
        await clock.advance(MINUTE);
      }
    },
    /** Delivers the newest event of this name as the service recorded it. */
    async deliver(name: string, transactionId: string) {
      const { data } = (await control(sandbox, "GET", "events?limit=100")) as { data: SandboxEvent[] };
      const found = data.find((one) => one.event === name && one.transaction_id === transactionId);
      if (!found) throw new Error(`There is no ${name} of ${transactionId}.`);
      const { id, event, data: fields, created_at: timestamp } = found;
      const bytes = new TextEncoder().encode(JSON.stringify({ id, event, timestamp, data: fields }));
      await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, SECRET) });
      await history.work();
    },
  };
  return history;
}

type SandboxEvent = {
  readonly id: string;
  readonly event: string;
  readonly transaction_id: string;
  readonly created_at: string;
  readonly data: object;
};

async function control(sandbox: Sandbox, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const response = await fetch(`${sandbox.controlUrl}/${path}`, { method, ...sent });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return await response.json();
}

describe("a session that was paid twice by card", () => {
  let sandbox: Sandbox;
  let history: Awaited<ReturnType<typeof openHistory>>;
  let intent: Payment;
  let first: string;
  let second: string;

  beforeEach(async () => {
    sandbox = await createSandbox();
    history = await openHistory(sandbox);
    intent = await history.payment();
    const path = `checkout-sessions/${intent.session?.id}/pay`;
    const pay = { method: "card", outcome: "completed" };
    const idOf = (paid: unknown) => {
      const { transaction, ...rest } = paid as { transaction?: { transaction_id: string }; transaction_id?: string };
      return transaction?.transaction_id ?? rest.transaction_id ?? "";
    };
    first = idOf(await control(sandbox, "POST", path, pay));
    second = idOf(await control(sandbox, "POST", path, { ...pay, again: true }));
    expect(new Set([first, second, ""]).size).toBe(3);
  });
  afterEach(() => sandbox.close());

  const refundInDashboard = async (transaction: string, amount: number) => {
    const response = await fetch(`${sandbox.baseUrl}/refunds`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-API-Key": sandbox.keys.test.secret,
        "Idempotency-Key": `dashboard ${transaction} ${amount}`,
      },
      body: JSON.stringify({ transaction_id: transaction, amount, reason: "requested_by_customer" }),
    });
    expect(response.status).toBe(201);
    const { refund_id: id } = (await response.json()) as { refund_id: string };
    await control(sandbox, "POST", `refunds/${id}/complete`).catch(() => {});
    return id;
  };

  const loseDispute = async (transaction: string) => {
    const { dispute_id: id } = (await control(sandbox, "POST", "disputes", { transaction_id: transaction })) as {
      dispute_id: string;
    };
    await control(sandbox, "POST", `disputes/${id}/close`, { outcome: "lost" });
  };

  it.each(["first", "second"])(
    "the refund of its %s transaction is known although only the event of that refund arrives",
    async (which) => {
      const refunded = which === "first" ? first : second;
      const id = await refundInDashboard(refunded, 2000);
      await history.deliver("REFUND_COMPLETED", refunded);
      expect((await history.money()).refunds).toMatchObject([{ refundId: id, transactionId: refunded }]);
    },
  );

  it("a lost dispute that is heard of before the payment takes nothing from the transaction that is not disputed", async () => {
    const { transactionId } = await readShown();
    const disputed = transactionId === first ? second : first;
    await loseDispute(disputed);
    await history.deliver("DISPUTE_CLOSED", disputed);
    await history.work(20);
    expect(await history.payment()).toMatchObject({ state: "recorded", lostToDispute: false });
    expect(history.effects()).toHaveLength(1);
  });

  it("a ledger that forgot the payment recovers both transactions from a dispute of one, and refunds the other once", async () => {
    await history.restore(null);
    await loseDispute(second);
    await history.deliver("DISPUTE_CREATED", second);
    await history.deliver("DISPUTE_CLOSED", second);
    await recoverPayments(history.engine(), { credentialId: "key", environment: "test", from: 0 });
    await history.work();
    const { transactions, disputes } = await history.money();
    expect(new Set(transactions.map(({ id }) => id))).toEqual(new Set([first, second]));
    expect(disputes).toMatchObject([{ transactionId: second, outcome: "lost" }]);
    const { paymentId } = history;
    const click = { paymentId, key: "click", amount: francs(5000), origin: "tillkit", transactionId: first } as const;
    expect(await refundPayment(history.engine(), click)).toMatchObject({ transactionId: first });
    expect((await refundPayment(history.engine(), click)).refundId).not.toBeNull();
  });

  it("a ledger that kept only the intent marks no order paid by money that went back before the restore", async () => {
    await refundInDashboard(first, 5000);
    await refundInDashboard(second, 5000);
    await history.restore({ ...intent, state: "intent", session: null });
    await recoverPayments(history.engine(), { credentialId: "key", environment: "test", from: 0 });
    await history.work(20);
    expect(await history.payment()).toMatchObject({ state: "refunded" });
    expect(history.effects()).toEqual([]);
  });

  it("a service that names nothing lets a person name the transaction, and its earlier refund counts then", async () => {
    await control(sandbox, "PATCH", "settings", { narrowReads: "bare" });
    const id = await refundInDashboard(first, 2000);
    await history.work(20);
    await nameTransaction(history.engine(), { paymentId: history.paymentId, transactionId: first, by: "owner" });
    await history.work();
    const money = await history.money();
    expect(money.refunds).toMatchObject([{ refundId: id }]);
    expect(equationOf(await history.payment(), money).available).toEqual(francs(3000));
  });

  /** What the session names as its transaction. */
  async function readShown(): Promise<{ transactionId?: string | undefined }> {
    const service = await history.engine().tenants.service("key");
    return await service.readSession(await history.payment(), 10_000);
  }
});
