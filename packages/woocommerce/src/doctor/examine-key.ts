import { codeOf, safeReason } from "@tillkit/core";
import type { WooRest } from "../transport/woo-rest.ts";
import type { Finding } from "./examine-companion.ts";

/** No shop has so many orders: a write to it tells whether the key may write, and changes nothing. */
const NO_ORDER = "900000000000000";

/** Whether the REST key may do what it must, and no more. */
export async function examineKey(rest: Pick<WooRest, "get" | "put">): Promise<readonly Finding[]> {
  const reads = await troubleOf(() => rest.get("orders", { per_page: 1, _fields: "id" }));
  if (reads !== null) return [mistake(`Orders cannot be read. ${reads.text}${reads.isOfKey ? BEHIND_IT : ""}`)];
  const writes = await troubleOf(() => rest.put(`orders/${NO_ORDER}`, {}));
  if (writes?.isOfKey) return [mistake("The key may read and not write: make one with the permission Read/Write.")];
  if (writes !== null) return [mistake(`Orders cannot be written. ${writes.text}`)];
  const opensAll = (await troubleOf(() => rest.get("customers", { per_page: 1, _fields: "id" }))) === null;
  if (!opensAll) return [{ about: "key", say: "well", text: "The key may read and write orders, and nothing else." }];
  const text =
    "The key opens the whole shop, customers included: make one of a user who may only manage orders (README, least privilege).";
  return [{ about: "key", say: "warning", text }];
}

/** What usually stands behind a key that is not let in. */
const BEHIND_IT =
  " The key is wrong or of a user who may not see orders, or the server drops the Authorization header, or WordPress does not know that it is reached over https.";

type Trouble = { readonly text: string; readonly isOfKey: boolean };

/** Null: the shop let us in, whatever it then answered. */
async function troubleOf(call: () => Promise<unknown>): Promise<Trouble | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return { text: safeReason(error), isOfKey: codeOf(error) === "reconnect" };
  }
}

function mistake(text: string): Finding {
  return { about: "key", say: "mistake", text };
}
