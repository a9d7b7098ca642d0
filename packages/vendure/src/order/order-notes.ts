import type { OrderHistoryEntryData, RequestContext } from "@vendure/core";
import type { ShopServices } from "../shop-services.ts";
import { lockOrder } from "./lock-row.ts";
import { writeInTime } from "./write-in-time.ts";

// Vendure declares an enum for this text and exports the enum only from another package.
const ORDER_NOTE = "ORDER_NOTE" as keyof OrderHistoryEntryData;

/** A note of ours in the order's history. Vendure stores the whole object, and Vendure's dashboard shows only `note`. */
type NoteData = { readonly note: string; readonly tillkitKey: string };

/** Adds a note for the shop to the order's history. A repeated key adds no second note; an unknown order causes no error. */
export async function addOrderNote(shop: ShopServices, code: string, key: string, note: string): Promise<void> {
  const { services } = shop;
  await writeInTime(shop, async (transaction) => {
    const order = await lockOrder(services.connection, transaction, code);
    if (!order || (await hasNote(services, transaction, order.id, key))) return;
    const data: NoteData = { note, tillkitKey: key };
    const isPublic = false;
    await services.history.createHistoryEntryForOrder(
      { ctx: transaction, orderId: order.id, type: ORDER_NOTE, data },
      isPublic,
    );
  });
}

async function hasNote(
  { history }: ShopServices["services"],
  context: RequestContext,
  orderId: string | number,
  key: string,
): Promise<boolean> {
  const publicOnly = false;
  const { items } = await history.getHistoryForOrder(context, orderId, publicOnly);
  return items.some(({ data }) => (data as Partial<NoteData> | null)?.tillkitKey === key);
}
