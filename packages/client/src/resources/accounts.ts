import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callList, callOne, type ListCall, type SendOperation } from "../call/operation.ts";
import { type Account, type Balance, parseAccount, parseBalance } from "../models/account.ts";
import type { CurrencyCode } from "../requests/common.ts";

export type Accounts = {
  /** GET /accounts/balance: one balance per currency. */
  balance(query?: { readonly currency?: CurrencyCode }, options?: PlainCallOptions): ListCall<Balance>;
  /** GET /accounts: not in the published API description; useful to check a key. */
  list(options?: PlainCallOptions): ListCall<Account>;
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<Account>>;
};

export function accounts(send: SendOperation): Accounts {
  return {
    balance: (query = {}, options) =>
      callList(send, "AccountsController_findBalance", parseBalance, { query }, options),
    list: (options) => callList(send, "AccountsController_findAll", parseAccount, {}, options),
    read: (id, options) => callOne(send, "AccountsController_findOne", parseAccount, { params: { id } }, options),
  };
}
