import { decimalsOf, type Payment } from "@tillkit/core";
import type { ShownRefund } from "@tillkit/core/store-refunds";
import { Refund as VendureRefund } from "@vendure/core";
import type { VendureCheckout } from "../open-checkout.ts";
import { toMoney } from "../order/amounts.ts";

/** The key in the metadata of a Vendure refund under which our own refund key is stored. */
export const REFUND_KEY = "tillkitRefundKey";

/** What Vendure stores with a refund of ours. */
export function refundMetadata(key: string): Record<string, unknown> {
  return { [REFUND_KEY]: key };
}

export function refundKeyOf({ metadata }: Pick<VendureRefund, "metadata">): string | null {
  const key = metadata?.[REFUND_KEY];
  return typeof key === "string" ? key : null;
}

/** Our key and the service's id. A refund that was recorded while the service named no id has the key in the place of the id. */
export function refundNames(row: Pick<VendureRefund, "metadata" | "transactionId">): readonly string[] {
  return [row.transactionId, refundKeyOf(row)].filter((name) => typeof name === "string" && name !== "") as string[];
}

const STATES: Readonly<Record<string, ShownRefund["state"]>> = { Settled: "made", Failed: "failed" };

export function toShownRefund(row: VendureRefund, currency: string, decimals: number): ShownRefund {
  // A refund that somebody wrote with more decimals than its currency has counts with the next full unit.
  const unit = 10 ** Math.max(0, decimals - decimalsOf(currency));
  return {
    names: refundNames(row),
    amount: toMoney(Math.ceil(row.total / unit) * unit, currency, decimals),
    state: STATES[row.state] ?? "pending",
    recordedAt: row.createdAt.getTime(),
  };
}

/** What Vendure shows as refunds of the orders of these payments. */
export async function listShownRefunds(
  { services: { connection, contextOfAllOrders, decimals } }: Pick<VendureCheckout, "services">,
  payments: readonly Payment[],
): Promise<readonly ShownRefund[]> {
  const codes = [...new Set(payments.map(({ ref }) => ref.orderId))];
  const rows: VendureRefund[] = await connection
    .getRepository(await contextOfAllOrders(), VendureRefund)
    .createQueryBuilder("refund")
    .innerJoinAndSelect("refund.payment", "payment")
    .innerJoinAndSelect("payment.order", "order")
    .where("order.code IN (:...codes)", { codes })
    .getMany();
  return rows.map((row) => toShownRefund(row, row.payment.order.currencyCode, decimals));
}
