import { confirmPayment, createEngine, type Payment, runDue, silentLog, startCheckout } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { openLedger } from "@tillkit/ledger";
import { createKillableProcess, createManualClock, createSeededRandom, type KillableProcess } from "@tillkit/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFakeService } from "./fake-service.ts";
import { FIVE_THOUSAND, LEDGERS, MINUTE, SECOND } from "./fixture.ts";
import { createOwnShop } from "./own-shop.ts";

describe.each(LEDGERS)("an own shop in one process, with the ledger in %s", (ledgerKind) => {
  it("17 · the unique row of an own shop takes one piece of stock when ten signals come at once from two engines", async () => {
    const { shop, startEngine, state, clock, payment } = await paidOrder(ledgerKind);
    const engines = [startEngine(), startEngine()] as const;
    const signals = Array.from({ length: 10 }, (_, index) =>
      confirmPayment(engines[index % 2 === 0 ? 0 : 1], payment.id, { actor: "webhook" }),
    );
    await clock.advance(5 * SECOND);
    await Promise.all(signals);
    expect(shop.pieces).toBe(9);
    expect(await state()).toBe("recorded");
  });

  it.each(["before-call", "after-call"] as const)(
    "17 · an order of an own shop is paid once, without waiting for a write to settle, when the process dies (%s) at any single call",
    async (point) => {
      let wasKilled = true;
      for (let call = 1; wasKilled; call += 1) {
        const { shop, startEngine, state, clock, payment } = await paidOrder(ledgerKind);
        const killable = createKillableProcess(atCall(call, point));
        void confirmPayment(startEngine(killable), payment.id, { actor: "webhook" });
        await clock.advance(SECOND);
        wasKilled = !killable.isAlive();
        const survivor = startEngine();
        for (let round = 0; round < 12; round += 1) {
          void runDue(survivor);
          await clock.advance(10 * SECOND);
        }
        expect(`${shop.pieces} left, ${await state()}`, `killed at call ${call}`).toBe("9 left, recorded");
      }
    },
  );
});

type CrashPoint = "before-call" | "after-call";

function atCall(target: number, point: CrashPoint): () => CrashPoint | "none" {
  let calls = 0;
  return () => {
    calls += 1;
    return calls === target ? point : "none";
  };
}

async function paidOrder(ledgerKind: (typeof LEDGERS)[number]) {
  const clock = createManualClock();
  const shop = createOwnShop(clock);
  const ledger = ledgerKind === "SQLite" ? await openLedger("sqlite::memory:") : createMemoryLedger();
  onTestFinished(() => ledger.close());
  const service = createFakeService(clock);
  const random = createSeededRandom(1);
  const startEngine = (killable: KillableProcess = createKillableProcess()) => {
    const adapter = killable.wrap(shop.adapter);
    return createEngine({
      ledger: killable.wrap(ledger),
      tenants: {
        credentialFor: async () => ({ id: "key", account: null }),
        service: async () => killable.wrap(service.port),
        endpoint: async () => null,
      },
      store: async () => adapter,
      clock,
      random,
      log: silentLog,
      referenceKeys: ["a key of the scenarios, long enough to sign with"],
      returnUrls: () => ({ success: "https://own.example/return", cancel: "https://own.example/cancel" }),
    });
  };
  const { paymentId } = await startCheckout(startEngine(), shop.placeOrder("1001", FIVE_THOUSAND));
  const find = async (): Promise<Payment> => {
    const payment = await ledger.find({ id: paymentId ?? "" });
    if (!payment) throw new Error("The payment must exist.");
    return payment;
  };
  service.pay(await find());
  // The first scheduled read is due and continues the work of the dead process.
  await clock.advance(MINUTE);
  return { shop, clock, startEngine, payment: await find(), state: async () => (await find()).state };
}
