import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import type { ListCall } from "../call/list-call.ts";
import { callList, callOne, type SendOperation } from "../call/operation.ts";
import { parseTransaction, type Transaction } from "../models/transaction.ts";

/** Filters of GET /transactions; several values of one filter match any of them. Dates are ISO 8601, inclusive. */
export type TransactionQuery = {
  readonly status?: string | readonly string[];
  readonly type?: string | readonly string[];
  readonly currency?: string | readonly string[];
  readonly provider?: string;
  readonly paymentMethod?: string | readonly string[];
  readonly startDate?: string;
  readonly endDate?: string;
  readonly isPos?: boolean;
  /** At most 100. */
  readonly limit?: number;
  readonly cursor?: string;
};

export type Transactions = {
  /** GET /transactions, newest first. */
  list(query?: TransactionQuery, options?: PlainCallOptions): ListCall<Transaction>;
  /** GET /transactions/{id}; takes the UUID or `txn_…`. */
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<Transaction>>;
};

export function transactions(send: SendOperation): Transactions {
  return {
    list: (query = {}, options) =>
      callList(send, "TransactionsController_findAll", parseTransaction, { query }, options),
    read: (id, options) =>
      callOne(send, "TransactionsController_findOne", parseTransaction, { params: { id } }, options),
  };
}
