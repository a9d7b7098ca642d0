import { noteByPlugin, noteMarker, type OrderNote } from "@tillkit/php-bridge";
import { z } from "zod";
import type { WooOrder } from "../store/woo-order.ts";
import { isGone, type WooStore } from "../store/woo-store.ts";
import { expectSuccess } from "../transport/woo-rest.ts";
import { isDoneByPlugin, readOrderOf } from "./write-by-plugin.ts";

const noteListSchema = z.array(z.object({ note: z.string() }));

/**
 * Adds the note unless the order already has it. WooCommerce's notes have no idempotency key, so our notes have a marker. The plugin
 * keeps it beside the note and looks for it under its lock; over the REST API it ends the note, and the notes are read before one is written.
 */
export async function addNoteOnce(store: WooStore, order: WooOrder, note: OrderNote): Promise<void> {
  if (
    store.writeOrdersBy !== "rest" &&
    (await isDoneByPlugin(store, noteByPlugin(store.plugin, readOrderOf(order), note)))
  )
    return;
  await addNoteByRest(store, String(order.id), note);
}

/** Like `addNoteOnce`, over the REST API only. @returns whether the note is new */
export async function addNoteByRest(store: WooStore, orderId: string, note: OrderNote): Promise<boolean> {
  const listed = await store.rest.get(notesPath(orderId));
  if (isGone(listed)) return false;
  const notes = noteListSchema.parse(expectSuccess(listed, "read"));
  if (notes.some(({ note: text }) => text.trimEnd().endsWith(noteMarker(note)))) return false;
  await addNote(store, orderId, note);
  return true;
}

/** Adds the note without reading the list first. For notes that cannot exist yet. */
export async function addNote({ rest }: WooStore, orderId: string, note: OrderNote): Promise<void> {
  const reply = await rest.post(notesPath(orderId), { note: `${note.text} ${noteMarker(note)}`, customer_note: false });
  if (!isGone(reply)) expectSuccess(reply, "write");
}

function notesPath(orderId: string): string {
  return `orders/${orderId}/notes`;
}
