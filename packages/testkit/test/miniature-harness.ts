import { parseMoney } from "@tillkit/core";
import type {
  Capability,
  ManualClock,
  MiniatureStore,
  ReadThenWriteStore,
  StoreAdapterHarness,
} from "@tillkit/testkit";

type OptionalParts = Pick<StoreAdapterHarness, "payOutside" | "secondAttempt" | "unsupported">;

/** The harness of a miniature store. Its probes read the shop directly, never through the adapter. */
export function miniatureHarness(
  store: MiniatureStore,
  clock: ManualClock,
  optionalParts: OptionalParts,
): StoreAdapterHarness {
  const { probe } = store;
  return {
    adapter: store.adapter,
    environment: "test",
    placeOrder: store.placeOrder,
    probe: {
      paidBy: async ({ ref }) => probe.paidBy(ref.orderId),
      timesPaid: async ({ ref }) => probe.effects(ref.orderId).length,
      holds: ({ ref }) => probe.holds(ref.orderId),
      notes: ({ ref }) => probe.notes(ref.orderId),
    },
    editTotal: ({ ref }, total) => store.editTotal(ref.orderId, total),
    makeUnpayable: async ({ ref }) => store.cancelOrder(ref.orderId),
    restart: async () => store.connect(),
    network: {
      whileDown: async (work) => {
        store.setDown(true);
        await work();
        store.setDown(false);
      },
      loseNextAnswer: async (when) => store.failNextWrite(`lost-${when}`),
      delayNextWrite: async (lateMs) => store.failNextWrite({ lateMs }),
      advanceTime: clock.advance,
    },
    ...optionalParts,
  };
}

export const ONE_ATTEMPT: Partial<Record<Capability, string>> = {
  secondAttempt: "an order of this shop has one attempt at a time, and another tab shares it",
};

export function refundsShownBy(store: ReadThenWriteStore): NonNullable<StoreAdapterHarness["probe"]["refunds"]> {
  return async ({ ref }) => {
    const { currency = "" } = (await store.rest.getOrder(ref.orderId)) ?? {};
    return store.refunds(ref.orderId).map(({ amount }) => parseMoney(amount, currency));
  };
}
