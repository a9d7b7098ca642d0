import type { Money, StoreAdapter } from "@tillkit/core";
import type { SimulatableStore } from "../store-under-test.ts";
import type { Effect, PlacedOrder, WrapPort } from "../stores/miniature-store.ts";
import { filterEffects, withoutWrapping } from "../stores/miniature-store.ts";
import { createNetworkLink } from "../stores/network-link.ts";
import { promiseMethods } from "./promise-methods.ts";
import { createShopCalls } from "./shop-calls.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import type { SimulatedStore } from "./simulation-world.ts";

/** How long an adapter waits for an answer of the shop, in virtual time. */
const REQUEST_TIMEOUT_MS = 5_000;

type KnownOrder = {
  placed: PlacedOrder;
  total: Money;
  paidBy: string | null;
  timesPaid: number;
  isClosed: boolean;
};

/**
 * Lets an author's own store take part in a simulation. All requests of its adapter travel over a simulated network. After every
 * request, every order is read from the shop, so that each shipment is known with its time and its payment.
 */
export function createOwnStore(store: SimulatableStore, clock: SimulatedClock): SimulatedStore {
  const network = createNetworkLink(clock, REQUEST_TIMEOUT_MS);
  const orders = new Map<string, KnownOrder>();
  const effects: Effect[] = [];
  const call = createShopCalls(clock, () => observe(store, { clock, orders, effects }));
  const connect = (wrap: WrapPort = withoutWrapping) =>
    connectThrough(store, (shop, options) => {
      const reads: readonly unknown[] = options?.reads ?? [];
      const overNetwork = promiseMethods(shop, (method, request, given) => {
        const work = (process: () => Promise<void>) => process().then(() => call(request));
        return reads.includes(method)
          ? network.read(work)
          : network.write(work, options?.sendBy?.(...(given as never[])));
      });
      return wrap(overNetwork, options);
    });
  const orderOf = (orderId: string): KnownOrder => {
    const order = orders.get(orderId);
    if (!order) throw new Error(`The simulation placed no order ${orderId}.`);
    return order;
  };
  const close = (orderId: string, preferred: "makeUnpayable" | "payOutside") =>
    call(async () => {
      const order = orderOf(orderId);
      const closeOrder = store[preferred] ?? store.makeUnpayable ?? store.payOutside;
      // A request that arrived at the same moment may have paid the order first. An owner closes no paid order.
      if (!closeOrder || order.timesPaid > 0) return;
      await closeOrder.call(store, order.placed);
      order.isClosed = true;
    });

  return {
    kind: "own",
    storeId: store.storeId,
    adapter: connect(),
    connect,
    placeOrder: (input) =>
      call(async () => {
        const placed = await store.placeOrder(input);
        orders.set(placed.ref.orderId, { placed, total: input.total, paidBy: null, timesPaid: 0, isClosed: false });
        return placed;
      }),
    editTotal: (orderId, total) => call(() => editTotal(store, orderOf(orderId), total)),
    cancelOrder: (orderId) => close(orderId, "makeUnpayable"),
    ...(store.payOutside ? { payOutside: (orderId: string) => close(orderId, "payOutside") } : {}),
    ...(store.attachPayment ? { attachPayment: store.attachPayment.bind(store) } : {}),
    failNextWrite: network.failNextWrite,
    clearFaults: network.clearFaults,
    setDown: network.setDown,
    setRefusing: network.setRefusing,
    setLatency: network.setLatency,
    heal: network.heal,
    probe: {
      effects: (orderId) => filterEffects(effects, orderId),
      paidBy: (orderId) => orderOf(orderId).paidBy,
      status: (orderId) => statusOf(orderOf(orderId)),
      holds: (orderId) => store.probe.holds(orderOf(orderId).placed),
      notes: async (orderId) => (await store.probe.notes?.(orderOf(orderId).placed)) ?? null,
    },
  };
}

/**
 * Connects the author's adapter through `wrap`.
 * @throws Error if the adapter does not use `wrap`, because then no request to the shop could fail
 */
function connectThrough(store: SimulatableStore, wrap: WrapPort): StoreAdapter {
  let isWrapped = false;
  const adapter = store.connect((port, options) => {
    isWrapped = true;
    return wrap(port, options);
  });
  if (isWrapped) return adapter;
  throw new Error(
    "connect(wrap) must wrap the object through which its adapter calls the shop, such as createMyAdapter(wrap(shop)). Without wrap, no request to the shop can fail.",
  );
}

async function editTotal(store: SimulatableStore, order: KnownOrder, total: Money): Promise<PlacedOrder> {
  if (!store.editTotal || order.timesPaid > 0 || order.isClosed) throw new Error("The order can no longer be edited.");
  order.placed = await store.editTotal(order.placed, total);
  order.total = total;
  return order.placed;
}

/** Reads every order from the shop and notes the shipments that are new. */
async function observe(
  { probe }: SimulatableStore,
  world: {
    readonly clock: SimulatedClock;
    readonly orders: ReadonlyMap<string, KnownOrder>;
    readonly effects: Effect[];
  },
): Promise<void> {
  for (const [orderId, order] of world.orders) {
    const timesPaid = await probe.timesPaid(order.placed);
    order.paidBy = await probe.paidBy(order.placed);
    for (; order.timesPaid < timesPaid; order.timesPaid += 1) {
      const { attempt } = order.placed;
      const paymentId = order.paidBy ?? "";
      world.effects.push({ orderId, attempt, paymentId, total: order.total, at: world.clock.now() });
    }
  }
}

function statusOf({ timesPaid, isClosed }: KnownOrder): string {
  if (timesPaid > 0) return "paid";
  return isClosed ? "closed" : "open";
}
