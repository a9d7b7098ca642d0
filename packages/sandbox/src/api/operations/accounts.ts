import { balanceQuerySchema } from "@tillkit/client/schemas";
import { accountsJson, balanceJson, readAccountJson } from "../../balances/accounts.ts";
import { listBalances } from "../../balances/balances.ts";
import { readQuery } from "../../http/read-query.ts";
import { type Operation, readOperation } from "./operation.ts";

/** GET /accounts/balance: a bare array */
export const getBalances: Operation = readOperation(async ({ caller, query }, database) => {
  const { currency } = readQuery(balanceQuerySchema, query);
  const balances = await listBalances(database, caller);
  const matching = balances.filter((row) => currency === undefined || row.currency_code === currency);
  return { status: 200, body: matching.map(balanceJson) };
});

/** GET /accounts: a bare array */
export const listAccounts: Operation = readOperation(async ({ caller }, database) => ({
  status: 200,
  body: await accountsJson(database, caller),
}));

/** GET /accounts/{id} */
export const getAccount: Operation = readOperation(async ({ caller, params }, database) => ({
  status: 200,
  body: await readAccountJson(database, params.id ?? "", caller),
}));
