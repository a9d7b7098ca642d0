import { createHash } from "node:crypto";
import { z } from "zod";
import { expectSuccess } from "../transport/woo-rest.ts";
import { isGone, type WooShop } from "./woo-shop.ts";

export type NoteKind = "hold" | "note";

const schema = z.array(z.object({ note: z.string() }));

/** Notes of WooCommerce have no key: ours stands at the end of the text, and the list is read before one is added. */
export async function addNoteOnce(
  { rest }: WooShop,
  orderId: string,
  { kind, key, text }: { readonly kind: NoteKind; readonly key: string; readonly text: string },
): Promise<void> {
  const path = `orders/${orderId}/notes`;
  const ending = `[tillkit ${kind} ${createHash("sha256").update(key).digest("hex").slice(0, 12)}]`;
  const listed = await rest.get(path);
  if (isGone(listed)) return;
  const notes = schema.parse(expectSuccess(listed, "read"));
  if (notes.some(({ note }) => note.trimEnd().endsWith(ending))) return;
  const reply = await rest.post(path, { note: `${text} ${ending}`, customer_note: false });
  if (!isGone(reply)) expectSuccess(reply, "write");
}
