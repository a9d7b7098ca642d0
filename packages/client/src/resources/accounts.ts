import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import type { ListCall } from "../call/list-call.ts";
import { callList, callOne, type SendOperation } from "../call/operation.ts";
import { type Account, type Balance, readAccount, readBalance } from "../models/account.ts";

export type Accounts = {
  /** GET /accounts/balance; one row a currency. */
  balance(query?: { readonly currency?: string }, call?: PlainCallOptions): ListCall<Balance>;
  /** GET /accounts: outside the published contract, good for checking a key. */
  list(call?: PlainCallOptions): ListCall<Account>;
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<Account>>;
};

export function accounts(send: SendOperation): Accounts {
  return {
    balance: (query = {}, call) => callList(send, "AccountsController_findBalance", readBalance, { query }, call),
    list: (call) => callList(send, "AccountsController_findAll", readAccount, {}, call),
    read: (id, call) => callOne(send, "AccountsController_findOne", readAccount, { params: { id } }, call),
  };
}
