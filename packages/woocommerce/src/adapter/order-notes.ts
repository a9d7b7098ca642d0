import { createHash } from "node:crypto";
import { z } from "zod";
import { isGone, type WooStore } from "../store/woo-store.ts";
import { expectSuccess } from "../transport/woo-rest.ts";

export type OrderNote = { readonly kind: "hold" | "note" | "paid"; readonly key: string; readonly text: string };

const noteListSchema = z.array(z.object({ note: z.string() }));

/** Adds the note unless the order already has it. WooCommerce's notes have no idempotency key, so our notes end with a marker. */
export async function addNoteOnce(store: WooStore, orderId: string, note: OrderNote): Promise<void> {
  const listed = await store.rest.get(notesPath(orderId));
  if (isGone(listed)) return;
  const notes = noteListSchema.parse(expectSuccess(listed, "read"));
  if (notes.some(({ note: text }) => text.trimEnd().endsWith(noteMarker(note)))) return;
  await addNote(store, orderId, note);
}

/** Adds the note without reading the list first. For notes that cannot exist yet. */
export async function addNote({ rest }: WooStore, orderId: string, note: OrderNote): Promise<void> {
  const reply = await rest.post(notesPath(orderId), { note: `${note.text} ${noteMarker(note)}`, customer_note: false });
  if (!isGone(reply)) expectSuccess(reply, "write");
}

function notesPath(orderId: string): string {
  return `orders/${orderId}/notes`;
}

function noteMarker({ kind, key }: OrderNote): string {
  return `[tillkit ${kind} ${createHash("sha256").update(key).digest("hex").slice(0, 12)}]`;
}
