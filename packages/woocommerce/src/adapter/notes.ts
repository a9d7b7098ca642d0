import { createHash } from "node:crypto";
import { z } from "zod";
import { expectSuccess } from "../transport/woo-rest.ts";
import { isGone, type WooShop } from "./woo-shop.ts";

export type OrderNote = { readonly kind: "hold" | "note" | "paid"; readonly key: string; readonly text: string };

const schema = z.array(z.object({ note: z.string() }));

/** Notes of WooCommerce have no key: ours stands at the end of the text, and the list is read before one is added. */
export async function addNoteOnce(shop: WooShop, orderId: string, note: OrderNote): Promise<void> {
  const listed = await shop.rest.get(pathOf(orderId));
  if (isGone(listed)) return;
  const notes = schema.parse(expectSuccess(listed, "read"));
  if (notes.some(({ note: text }) => text.trimEnd().endsWith(endingOf(note)))) return;
  await addNote(shop, orderId, note);
}

/** For the one who knows that it is the first. */
export async function addNote({ rest }: WooShop, orderId: string, note: OrderNote): Promise<void> {
  const reply = await rest.post(pathOf(orderId), { note: `${note.text} ${endingOf(note)}`, customer_note: false });
  if (!isGone(reply)) expectSuccess(reply, "write");
}

function pathOf(orderId: string): string {
  return `orders/${orderId}/notes`;
}

function endingOf({ kind, key }: OrderNote): string {
  return `[tillkit ${kind} ${createHash("sha256").update(key).digest("hex").slice(0, 12)}]`;
}
