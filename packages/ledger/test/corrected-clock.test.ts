import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Clock,
  createEngine,
  type Ledger,
  type Order,
  runDue,
  type StoreAdapter,
  silentLog,
  startCheckout,
} from "@tillkit/core";
import type { Service } from "@tillkit/core/hosts";
import { openLedger } from "@tillkit/ledger";
import { createManualClock, createSeededRandom } from "@tillkit/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";

const HOUR = 3_600_000;
const ORDER: Order = {
  ref: { storeId: "hats", orderId: "1042" },
  title: "Order 1042",
  attempt: "",
  environment: "test",
  total: { minor: 5000, currency: "XOF" },
  payable: true,
  paidBy: null,
  language: "en",
};

/** The service, whose clock is right, and which shows the session as paid. */
function createPaidService(clock: Clock): Service {
  let body: { amount?: number; currency_code?: string; metadata?: Record<string, string> } = {};
  const unused = () => Promise.reject(new Error("This test does not use this call."));
  return {
    async openSession({ request }) {
      body = JSON.parse(request);
      return { id: "session-1", url: "https://pay.example/session-1", expiresAt: clock.now() + HOUR };
    },
    readSession: async () => ({
      id: "session-1",
      status: "completed",
      wireAmount: Number(body.amount),
      currency: String(body.currency_code),
      reference: body.metadata?.tillkit_reference,
      environment: "test",
      transactionId: "transaction-1",
    }),
    refund: unused,
    readRefunds: async () => ({ refunds: [], unassigned: [], elsewhere: [], isComplete: true }),
    readTransaction: unused,
    async *listTransactions() {},
    async *listDeliveredEvents() {},
  };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-clock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ["80 hours", 80 * HOUR],
  ["30 days", 30 * 24 * HOUR],
])(
  "an order in a SQLite file is paid within ten minutes after a clock that was %s ahead is set back and its process is killed in the middle of the write",
  async (_title, aheadMs) => {
    const clock = createManualClock();
    const service = createPaidService(clock);
    const paid: string[] = [];
    const storeOf = (markPaid: StoreAdapter["markPaid"]): StoreAdapter => ({
      platform: "test",
      writes: { kind: "read-then-write", settleAfterMs: 60_000 },
      findOrder: async () => ORDER,
      markPaid,
      holdForReview: async () => undefined,
      shopperUrl: async () => "https://shop.example/",
    });
    const engineOf = (ledger: Ledger, ownClock: Clock, store: StoreAdapter) =>
      createEngine({
        ledger,
        tenants: {
          credentialFor: async () => ({ id: "key", account: null }),
          service: async () => service,
          endpoint: async () => null,
        },
        store: async () => store,
        clock: ownClock,
        random: createSeededRandom(1),
        log: silentLog,
        referenceKeys: ["a reference key of the tests, which is long enough"],
        returnUrls: () => ({ success: "https://shop.example/return", cancel: "https://shop.example/cancel" }),
      });
    const url = `sqlite:${join(folder, "ledger.db")}`;

    // The killed process never wakes again: it neither renews nor releases its leases, and its write gets no answer.
    const before = await openLedger(url);
    const wrongClock = { now: () => clock.now() + aheadMs, sleep: () => new Promise<void>(() => undefined) };
    await new Promise<void>((resolve) => {
      const hangingStore = storeOf(() => {
        resolve();
        return new Promise(() => undefined);
      });
      const killed = engineOf(before, wrongClock, hangingStore);
      void startCheckout(killed, ORDER)
        .then(() => clock.advance(10 * 60_000))
        .then(() => runDue(killed));
    });
    await before.close();

    const after = await openLedger(url);
    const store = storeOf(async (receipt) => {
      paid.push(receipt.ref.orderId);
      return { outcome: "recorded", evidence: "read-back" };
    });
    const engine = engineOf(after, clock, store);
    for (let second = 0; second < 600; second += 1) {
      await clock.advance(1_000);
      await runDue(engine);
    }
    expect(paid).toEqual(["1042"]);
    expect((await after.find({ sessionId: "session-1" }))?.state).toBe("recorded");
    await after.close();
  },
);
