import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import type { ListCall } from "../call/list-call.ts";
import { callList, callOne, type SendOperation } from "../call/operation.ts";
import { type Customer, readCustomer } from "../models/customer.ts";
import { readTransaction, type Transaction } from "../models/transaction.ts";
import type { CustomerQuery, CustomerRequest, CustomerUpdate } from "../schemas/customer.ts";

export type Customers = {
  /** POST /customers. Never repeated by itself: the service takes no Idempotency-Key here. */
  create(body: CustomerRequest, call?: PlainCallOptions): Promise<ServiceResponse<Customer>>;
  /** GET /customers, newest first. */
  list(query?: CustomerQuery, call?: PlainCallOptions): ListCall<Customer>;
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<Customer>>;
  update(id: string, body: CustomerUpdate, call?: PlainCallOptions): Promise<ServiceResponse<Customer>>;
  /** GET /customers/{id}/transactions */
  transactions(id: string, call?: PlainCallOptions): ListCall<Transaction>;
};

export function customers(send: SendOperation): Customers {
  return {
    create: (body, call) => callOne(send, "CustomersController_create", readCustomer, { body }, call),
    list: (query = {}, call) => callList(send, "CustomersController_findAll", readCustomer, { query }, call),
    read: (id, call) => callOne(send, "CustomersController_findOne", readCustomer, { params: { id } }, call),
    update: (id, body, call) =>
      callOne(send, "CustomersController_update", readCustomer, { params: { id }, body }, call),
    transactions: (id, call) =>
      callList(send, "CustomersController_findTransactions", readTransaction, { params: { id } }, call),
  };
}
