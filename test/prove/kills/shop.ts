import { createMemoryLedger, StoreError } from "@tillkit/core";
import {
  createCallbackStore,
  createReadThenWriteStore,
  createWriteOnlyStore,
  type MiniatureStore,
} from "@tillkit/testkit";
import type { ShopReply } from "./child/shop-over-http.ts";
import type { Asks, StoreCard } from "./messages.ts";
import type { WorldClock } from "./world-clock.ts";

export type StoreKind = MiniatureStore["kind"];

/** Three shops that outlive every process of ours and count their effects themselves. */
export type Shop = {
  readonly stores: { readonly [Kind in StoreKind]: Extract<Stores[Kind], unknown> };
  readonly cards: readonly StoreCard[];
  call(storeId: string, method: string, given: readonly unknown[]): Promise<ShopReply>;
  /** Happens when this method is called next, before it does anything; what it throws is the answer. */
  onNextCall(method: string, happen: () => Promise<void>): void;
  /** Calls under way, those too that nobody waits for any more. */
  busy(): number;
};

type Stores = {
  readonly callback: ReturnType<typeof createCallbackStore>;
  readonly "read-then-write": ReturnType<typeof createReadThenWriteStore>;
  readonly "write-only": ReturnType<typeof createWriteOnlyStore>;
};

type Authorize = (paymentId: string) => Promise<Asks["verify"]["answer"]>;

export function openShop(clock: WorldClock, authorize: Authorize): Shop {
  const stores: Stores = {
    callback: createCallbackStore({ clock, authorize }),
    "read-then-write": createReadThenWriteStore({ clock }),
    // What its adapter keeps lies here too: a kill lands before or after a whole call.
    "write-only": createWriteOnlyStore({ clock, records: createMemoryLedger().records }),
  };
  const happenings = new Map<string, () => Promise<void>>();
  let busy = 0;

  async function call(storeId: string, method: string, given: readonly unknown[]): Promise<ShopReply> {
    const store = Object.values(stores).find((one) => one.storeId === storeId);
    busy += 1;
    try {
      const happen = happenings.get(method);
      happenings.delete(method);
      await happen?.();
      const { adapter } = store ?? {};
      const work: unknown = adapter && Reflect.get(adapter, method);
      if (typeof work !== "function") throw new Error(`No shop has ${storeId} ${method}.`);
      return { answer: await Reflect.apply(work, adapter, given) };
    } catch (error) {
      const code = error instanceof StoreError ? error.code : "unknown";
      return { error: { code, message: error instanceof Error ? error.message : String(error) } };
    } finally {
      busy -= 1;
    }
  }

  return {
    stores,
    cards: Object.values(stores).map(cardOf),
    call,
    onNextCall: (method, happen) => {
      happenings.set(method, happen);
    },
    busy: () => busy,
  };
}

function cardOf({ storeId, adapter }: MiniatureStore): StoreCard {
  const methods = Object.entries(adapter).filter(
    ([name, value]) => typeof value === "function" && name !== "listUnsettled",
  );
  return { storeId, platform: adapter.platform, writes: adapter.writes, methods: methods.map(([name]) => name) };
}
