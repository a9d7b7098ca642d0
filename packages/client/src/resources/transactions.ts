import { readTransaction, type Transaction } from "../answers/transaction.ts";
import { type Page, unwrapList } from "../answers/unwrap.ts";
import type { PlainCallOptions, Reply } from "../call/call-options.ts";
import { replyWith, type SendOperation } from "../call/operation.ts";

/** Filters of GET /transactions; several values of one filter mean any of them. Dates are ISO 8601, inclusive. */
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
  readonly offset?: number;
};

export type Transactions = {
  /** One page of GET /transactions, newest first. */
  list(query?: TransactionQuery, call?: PlainCallOptions): Promise<Reply<Page<Transaction>>>;
  /** GET /transactions/{id}; takes the UUID or `txn_…`. */
  read(id: string, call?: PlainCallOptions): Promise<Reply<Transaction>>;
};

export function transactions(send: SendOperation): Transactions {
  return {
    async list(query = {}, call = {}) {
      const answer = await send("TransactionsController_findAll", { query }, call);
      return replyWith(
        answer,
        (json) => unwrapList(json, readTransaction),
        "The service's answer is no list of transactions.",
      );
    },
    async read(id, call = {}) {
      const answer = await send("TransactionsController_findOne", { params: { id } }, call);
      return replyWith(answer, readTransaction, "The service's answer holds no transaction.");
    },
  };
}
