import type { Payment } from "@tillkit/core";
import type { ShownRefund, StoreRefunds } from "@tillkit/core/store-refunds";
import { pluginLimits } from "../limits.ts";
import { toMoney } from "../store/amounts.ts";
import type { MedusaContainer } from "../store/medusa-container.ts";
import { findMedusaPayment } from "../store/paid-by.ts";
import { amountCaptured, type MedusaPayment, readCollection } from "../store/payment-collection.ts";

/** Our key of the refund for which Medusa made this row, `ref_…`. */
export function refundKeyOf(rowId: string): string {
  return `medusa:${rowId}`;
}

/**
 * What Medusa shows as refunds of one of its payments. A row that we recorded names the refund in its note, whose words depend on the language. A
 * row that a person asked for is that request, whatever the person wrote in the note: it never stands for another refund.
 */
export function shownRefundsOf({ refunds }: MedusaPayment, currencyCode: string): readonly ShownRefund[] {
  return refunds.map(({ id, note, by, amount }) => ({
    names: [refundKeyOf(id), ...(by === null ? namesIn(note) : [])],
    amount: toMoney(amount, currencyCode),
    // Medusa deletes the row of a refund that our provider refuses, and has no other state.
    state: "made",
    // Medusa makes the row before it asks our provider.
    recordedAt: null,
  }));
}

function namesIn(note: string): readonly string[] {
  return [...note.matchAll(/\(([^()]+)\)/g)].map(([, name = ""]) => name);
}

/** How Medusa asks for refunds of a payment. `requested`: our key of the refund that it asks for now. */
export function storeRefundsOf(
  { container }: { readonly container: MedusaContainer },
  { id, ref }: Payment,
  requested = "",
): StoreRefunds {
  return {
    keys: "per-click",
    pending: { answerWithinMs: pluginLimits.refundWaitMs },
    shownByStore: true,
    async list() {
      const collection = await readCollection(container, ref.orderId);
      const payment = collection && findMedusaPayment(collection, id);
      if (!payment) return null;
      const refunds = shownRefundsOf(payment, collection.currencyCode);
      const counted = amountCaptured(payment, collection.currencyCode);
      return { counted, refunds: refunds.filter(({ names }) => !names.includes(requested)) };
    },
  };
}
