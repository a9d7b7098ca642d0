import { StoreError } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import {
  createCallbackStore,
  createReadThenWriteStore,
  createWriteOnlyStore,
  type MiniatureStore,
} from "@tillkit/testkit";
import type { ShopReply } from "./child/shop-over-http.ts";
import type { Requests, StoreDescription } from "./messages.ts";
import type { MovableClock } from "./movable-clock.ts";

export type StoreKind = MiniatureStore["kind"];

/** Three shops that outlive every server process and count their own effects. */
export type Shop = {
  readonly stores: Stores;
  readonly descriptions: readonly StoreDescription[];
  call(storeId: string, method: string, parameters: readonly unknown[]): Promise<ShopReply>;
  /** Runs `intercept` before the next call of this method. An error that it throws becomes the answer. */
  onNextCall(method: string, intercept: () => Promise<void>): void;
  /** The number of calls in flight, including calls whose caller gave up. */
  busy(): number;
};

/** The stores by `StoreKind`. */
type Stores = {
  readonly callback: ReturnType<typeof createCallbackStore>;
  readonly "read-then-write": ReturnType<typeof createReadThenWriteStore>;
  readonly "write-only": ReturnType<typeof createWriteOnlyStore>;
};

type Authorize = (paymentId: string) => Promise<Requests["verify"]["result"]>;

export function openShop(clock: MovableClock, authorize: Authorize): Shop {
  const stores: Stores = {
    callback: createCallbackStore({ clock, authorize }),
    "read-then-write": createReadThenWriteStore({ clock }),
    // The adapter's records are in this process too, so a kill happens before or after a complete call.
    "write-only": createWriteOnlyStore({ clock, records: createMemoryLedger().records }),
  };
  const interceptors = new Map<string, () => Promise<void>>();
  let busy = 0;

  async function call(storeId: string, method: string, parameters: readonly unknown[]): Promise<ShopReply> {
    const store = Object.values(stores).find((candidate) => candidate.storeId === storeId);
    busy += 1;
    try {
      const intercept = interceptors.get(method);
      interceptors.delete(method);
      await intercept?.();
      const { adapter } = store ?? {};
      const work: unknown = adapter && Reflect.get(adapter, method);
      if (typeof work !== "function") throw new Error(`No shop has ${storeId} ${method}.`);
      return { answer: await Reflect.apply(work, adapter, parameters) };
    } catch (error) {
      const code = error instanceof StoreError ? error.code : "unknown";
      return { error: { code, message: error instanceof Error ? error.message : String(error) } };
    } finally {
      busy -= 1;
    }
  }

  return {
    stores,
    descriptions: Object.values(stores).map(descriptionOf),
    call,
    onNextCall: (method, intercept) => {
      interceptors.set(method, intercept);
    },
    busy: () => busy,
  };
}

function descriptionOf({ storeId, adapter }: MiniatureStore): StoreDescription {
  const methods = Object.entries(adapter).filter(
    ([name, value]) => typeof value === "function" && name !== "listUnsettled",
  );
  return { storeId, platform: adapter.platform, writes: adapter.writes, methods: methods.map(([name]) => name) };
}
