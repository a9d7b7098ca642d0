import { codeOf, safeReason } from "@tillkit/core";
import type { WooRest } from "../transport/woo-rest.ts";
import type { Finding } from "./examine-companion.ts";

/** No shop has so many orders: a write to it tells whether the key may write, and changes nothing. */
const NO_ORDER = "900000000000000";

/** Whether the REST key may do what it must, and no more. */
export async function examineKey(rest: WooRest): Promise<readonly Finding[]> {
  const reads = await troubleOf(() => rest.get("orders", { per_page: 1, _fields: "id" }));
  if (reads !== null) {
    const hint =
      "The key is wrong or of a user who may not see orders, or the server drops the Authorization header, or WordPress does not know that it is reached over https.";
    return [mistake(`Orders cannot be read. ${reads} ${hint}`)];
  }
  const writes = await troubleOf(() => rest.put(`orders/${NO_ORDER}`, {}));
  if (writes !== null) return [mistake("The key may read and not write: make one with the permission Read/Write.")];
  const opensAll = (await troubleOf(() => rest.get("customers", { per_page: 1, _fields: "id" }))) === null;
  if (!opensAll) return [{ about: "key", say: "well", text: "The key may read and write orders, and nothing else." }];
  const text =
    "The key opens the whole shop, customers included: make one of a user who may only manage orders (README, least privilege).";
  return [{ about: "key", say: "warning", text }];
}

/** Null: the shop let us in, whatever it then answered. */
async function troubleOf(call: () => Promise<unknown>): Promise<string | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return `${codeOf(error)}: ${safeReason(error)}`;
  }
}

function mistake(text: string): Finding {
  return { about: "key", say: "mistake", text };
}
