import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrderInput, PlacedOrder, SimulatableStore, WrapPort } from "@tillkit/testkit";
import { createAdapter } from "../src/adapter.ts";
import { openShop, type ShopOrder } from "../src/shop.ts";

const storeId = "json-file-shop";

/** Opens an empty shop in a new folder: its adapter, what its shoppers and its owner do, and probes that read the file itself. */
export async function openShopUnderTest({ clock }: { readonly clock?: { now(): number } } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "json-file-shop-"));
  const shop = openShop(join(folder, "orders.json"), clock ? () => clock.now() : Date.now);

  const connect = (wrap: WrapPort) =>
    createAdapter(wrap(shop, { reads: ["order", "ordersSince"] }), {
      storeId,
      shopUrl: "https://shop.example",
      environment: "test",
    });
  const read = async ({ ref }: PlacedOrder): Promise<ShopOrder> => {
    const order = await shop.order(ref.orderId);
    if (!order) throw new Error(`The shop has no order ${ref.orderId}.`);
    return order;
  };
  const edit = async ({ ref }: PlacedOrder, fields: Partial<ShopOrder>): Promise<void> => {
    await shop.change(ref.orderId, (order) => ({ order: { ...order, ...fields }, answer: null }));
  };
  const notes = async (placed: PlacedOrder, kind: "hold" | "note") =>
    (await read(placed)).notes.filter(({ key }) => key.startsWith(`${kind}:`)).map(({ text }) => text);

  return {
    storeId,
    shop,
    connect,
    async placeOrder(input: OrderInput): Promise<PlacedOrder> {
      return { ref: { storeId, orderId: (await shop.place(input)).id }, attempt: "" };
    },
    async editTotal(placed: PlacedOrder, total: OrderInput["total"]) {
      await edit(placed, { total });
      return placed;
    },
    makeUnpayable: (placed: PlacedOrder) => edit(placed, { state: "cancelled" }),
    payOutside: (placed: PlacedOrder) => edit(placed, { paidBy: "cash" }),
    probe: {
      paidBy: async (placed: PlacedOrder) => {
        const { paidBy } = await read(placed);
        return paidBy === "cash" ? null : paidBy;
      },
      // Only our payments ship. Goods that were handed over for cash do not count as a shipment.
      timesPaid: async (placed: PlacedOrder) => (await read(placed)).shipments,
      holds: (placed: PlacedOrder) => notes(placed, "hold"),
      notes: (placed: PlacedOrder) => notes(placed, "note"),
      refunds: async (placed: PlacedOrder) => (await read(placed)).refunds.map(({ amount }) => amount),
    },
    close: () => rm(folder, { recursive: true, force: true }),
  } satisfies SimulatableStore & Record<string, unknown>;
}
