import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callList, callOne, type ListCall, type SendOperation } from "../call/operation.ts";
import { type Customer, parseCustomer } from "../models/customer.ts";
import { parseTransaction, type Transaction } from "../models/transaction.ts";
import type { CustomerQuery, CustomerRequest, CustomerUpdate } from "../requests/customer.ts";

export type Customers = {
  /** POST /customers. Never repeated: the service ignores an Idempotency-Key here. */
  create(body: CustomerRequest, options?: PlainCallOptions): Promise<ServiceResponse<Customer>>;
  /** GET /customers, newest first. */
  list(query?: CustomerQuery, options?: PlainCallOptions): ListCall<Customer>;
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<Customer>>;
  update(id: string, body: CustomerUpdate, options?: PlainCallOptions): Promise<ServiceResponse<Customer>>;
  /** GET /customers/{id}/transactions */
  transactions(id: string, options?: PlainCallOptions): ListCall<Transaction>;
};

export function customers(send: SendOperation): Customers {
  return {
    create: (body, options) => callOne(send, "CustomersController_create", parseCustomer, { body }, options),
    list: (query = {}, options) => callList(send, "CustomersController_findAll", parseCustomer, { query }, options),
    read: (id, options) => callOne(send, "CustomersController_findOne", parseCustomer, { params: { id } }, options),
    update: (id, body, options) =>
      callOne(send, "CustomersController_update", parseCustomer, { params: { id }, body }, options),
    transactions: (id, options) =>
      callList(send, "CustomersController_findTransactions", parseTransaction, { params: { id } }, options),
  };
}
