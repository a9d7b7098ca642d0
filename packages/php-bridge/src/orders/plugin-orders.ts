import { StoreError } from "@tillkit/core";
import { z } from "zod";
import type { PluginRoutes } from "../transport/plugin-routes.ts";
import { type BridgedOrder, bridgedOrderSchema } from "./bridged-order.ts";

/** What names an order to the plugin. An empty `key` asks for the key that the order has. */
export type OrderName = Pick<BridgedOrder, "id" | "key">;

const readSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("read"), order: bridgedOrderSchema }),
  z.object({ outcome: z.literal("gone") }),
]);

/** Reads an order. Null: it does not exist or has another key. @throws StoreError */
export async function readOrderByPlugin(plugin: PluginRoutes, { id, key }: OrderName): Promise<BridgedOrder | null> {
  const answer = readSchema.safeParse(await readByPlugin(plugin, "read-order", { order: id, key }));
  if (answer.success && answer.data.outcome === "gone") return null;
  const order = answer.success && answer.data.outcome === "read" ? answer.data.order : null;
  if (order?.id === id && (key === "" || order.key === key)) return order;
  throw new StoreError(
    "unavailable",
    `The plugin's answer is not the requested order: exclude ${plugin.place.name} from every cache.`,
  );
}

const listSchema = z.object({
  orders: z.array(z.object({ order: z.string(), key: z.string(), status: z.string(), changed: z.number() })),
  next: z.string().nullable(),
});

/** An order of ours in a list. `changed`: milliseconds since 1970. */
export type ListedOrder = OrderName & { readonly status: string; readonly changed: number };

/** The pages of one list. A shop that always names a next page ends no sweep otherwise. */
const MAX_PAGES = 100;

/** Lists the orders of ours that changed since this time (milliseconds since 1970), the oldest first. @throws StoreError */
export async function* listOrdersByPlugin(plugin: PluginRoutes, since: number): AsyncGenerator<ListedOrder> {
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const body: object = { since: Math.floor(since / 1_000), after };
    const answer = listSchema.safeParse(await readByPlugin(plugin, "list-orders", body));
    if (!answer.success) throw new StoreError("unavailable", "The plugin's answer is not a list of orders.");
    for (const { order: id, key, status, changed } of answer.data.orders)
      yield { id, key, status, changed: changed * 1_000 };
    after = answer.data.next;
    if (after === null) return;
  }
}

/** The body of a successful answer to a call that changes nothing. @throws StoreError for every other answer */
async function readByPlugin(plugin: PluginRoutes, purpose: "read-order" | "list-orders", body: object) {
  const reply = await plugin.call(purpose, body);
  if (reply.kind === "unreachable") throw new StoreError("reconnect", reply.message);
  if (reply.status === 200) return reply.body;
  throw new StoreError("unavailable", `The plugin answered ${reply.status} ${reply.code ?? ""}`.trim());
}
