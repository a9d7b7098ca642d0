import type { BackOffice, HostFacts } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";

// WooCommerce's own order screen refunds a payment that pays its order.
const FACTS: HostFacts = { seen: [], refundsPaid: false, failedRefunds: [] };

/** Where the owner of a shop decides in the order box of WordPress. */
export function backOfficeOf({ engine, ledger }: Pick<AppContext, "engine" | "ledger">): BackOffice {
  return { engine, acts: ledger, host: { facts: async () => FACTS } };
}
