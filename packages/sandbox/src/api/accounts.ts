import { balanceQuerySchema } from "@tillkit/client/schemas";
import { accountsOf, balanceJson, readAccount } from "../balances/accounts.ts";
import { balancesOf } from "../balances/balances.ts";
import { type Operation, reading } from "./operation.ts";
import { validated } from "./validated.ts";

/** GET /accounts/balance: a bare array */
export const readBalances: Operation = reading(async ({ caller, query }, rows) => {
  const { currency } = validated(balanceQuerySchema, Object.fromEntries(query));
  const balances = await balancesOf(rows, caller);
  const wanted = balances.filter((row) => currency === undefined || row.currency_code === currency);
  return { status: 200, body: wanted.map(balanceJson) };
});

/** GET /accounts: a bare array */
export const listAccounts: Operation = reading(async ({ caller }, rows) => ({
  status: 200,
  body: await accountsOf(rows, caller),
}));

/** GET /accounts/{id} */
export const readAccountById: Operation = reading(async ({ caller, params }, rows) => ({
  status: 200,
  body: await readAccount(rows, params.id ?? "", caller),
}));
