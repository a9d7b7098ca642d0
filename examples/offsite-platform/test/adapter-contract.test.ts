import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock, type PlacedOrder } from "@tillkit/testkit";
import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { createPlatformAdapter } from "../src/platform-adapter.ts";
import { createNotify } from "../src/platform-wire.ts";
import { openPlatform } from "./platform.ts";

const STORE_ID = "chez-adjoua";
/** In real time: a request over the loopback arrives within this time, while the test's clock does not advance. */
const ARRIVE_MS = 60;

storeAdapterContract("a second offsite platform", async () => {
  const clock = createManualClock();
  const platform = await openPlatform(clock);
  const { records } = createMemoryLedger();
  const createAdapter = () =>
    createPlatformAdapter(STORE_ID, records, createNotify({ url: platform.notifyUrl, token: "a token", clock }));

  async function post(orderId: string, language?: string): Promise<PlacedOrder> {
    const posted = platform.post(orderId, language);
    await records.put(STORE_ID, "post", posted.orderTransactionId, posted, "new");
    return { ref: { storeId: STORE_ID, orderId }, attempt: posted.orderTransactionId };
  }

  function order({ ref }: PlacedOrder) {
    const found = platform.order(ref.orderId);
    if (!found) throw new Error(`The platform has no order ${ref.orderId}.`);
    return found;
  }

  const noticesOf = async ({ ref }: PlacedOrder, kind: string) =>
    (await records.list({ kind: `${kind}:${ref.orderId}`, limit: 100 })).map(({ value }) => String(value));

  return {
    adapter: createAdapter(),
    environment: "test",
    placeOrder: ({ total, language }) => post(platform.place(total), language),
    probe: {
      paidBy: async (placed) => order(placed).paidBy,
      timesPaid: async (placed) => order(placed).timesPaid,
      holds: (placed) => noticesOf(placed, "hold"),
      notes: (placed) => noticesOf(placed, "note"),
    },
    secondAttempt: ({ ref }) => post(ref.orderId),
    editTotal: async (placed, total) => {
      order(placed).total = total;
      return await post(placed.ref.orderId);
    },
    makeUnpayable: async (placed) => {
      order(placed).closed = true;
    },
    restart: async () => createAdapter(),
    network: {
      whileDown: async (work) => {
        platform.setDown(true);
        await work();
        platform.setDown(false);
      },
      loseNextAnswer: async (when) => void platform.fail(`lost-${when}`),
      delayNextWrite: async (lateMs) => void platform.fail({ lateMs }),
      advanceTime: async (ms) => {
        await new Promise((resolve) => setTimeout(resolve, ARRIVE_MS));
        await clock.advance(ms);
        await new Promise((resolve) => setTimeout(resolve, ARRIVE_MS));
      },
    },
    close: async () => platform.close(),
    unsupported: {
      readBack: "the platform offers no read of a payment",
      titles: "the platform posts no title",
      payOutside: "the platform does not report that an order was paid otherwise",
    },
  };
});
