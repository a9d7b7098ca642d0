import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callList, callOne, type ListCall, type SendOperation } from "../call/operation.ts";
import { parseTransaction, type Transaction } from "../models/transaction.ts";
import type { TransactionQuery } from "../requests/transaction.ts";

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
