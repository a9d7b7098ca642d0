import type { TransactionStatus } from "../models/transaction.ts";
import type { AnyOf, CurrencyCode, PageQuery } from "./common.ts";

/** Filters of GET /transactions (API.md#transactions). */
export type TransactionQuery = PageQuery & {
  readonly status?: AnyOf<TransactionStatus>;
  readonly type?: AnyOf<"payment" | "refund" | "payout">;
  readonly currency?: AnyOf<CurrencyCode>;
  readonly provider?: "CARD" | "WAVE" | "MTN" | "SPI";
  readonly paymentMethod?: AnyOf<"CARDS" | "MOBILE_MONEY" | "BANK_TRANSFER" | "FREE">;
  /** ISO 8601 date or time, inclusive. */
  readonly startDate?: string;
  /** ISO 8601 date or time, inclusive. */
  readonly endDate?: string;
  /** True: only payments at a point of sale; false: only other payments. */
  readonly isPos?: boolean;
};
