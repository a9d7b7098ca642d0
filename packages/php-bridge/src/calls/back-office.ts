import { type BackOffice, SHOP_REFUNDS } from "@tillkit/core/back-office";
import type { AppContext } from "../app-context.ts";

/** Where the owner of a shop decides in the order box of the shop. */
export function backOfficeOf({ engine, ledger }: Pick<AppContext, "engine" | "ledger">): BackOffice {
  return { engine, acts: ledger, host: SHOP_REFUNDS };
}
