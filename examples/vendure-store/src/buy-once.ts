import { setTimeout as sleep } from "node:timers/promises";
import { createGraphQlCaller } from "./graphql.ts";
import type { RunningStore } from "./open-store.ts";
import { buy } from "./serve-storefront.ts";
import { openShopApi, readProducts } from "./shop-api.ts";

const PAID_WITHIN_MS = 60_000;

/** One purchase, from the product to the order that Vendure shows as paid. @throws Error when the order is not paid within a minute */
export async function buyOnce(
  { vendureUrl, sandbox, password }: RunningStore,
  report: (line: string) => void,
): Promise<void> {
  const [product] = await readProducts(openShopApi(vendureUrl, null));
  const page = await buy(vendureUrl, product?.variants[0]?.id ?? "", null);
  report(`An order with ${product?.name} is waiting for its payment. The hosted page: ${page}`);
  await sandbox.control.paySession(page.split("/").at(-1) ?? "", { method: "card", outcome: "completed" });
  report("The shopper has paid with a card and closed the browser.");
  const readNewestOrder = await logIn(vendureUrl, password);
  const giveUpAt = Date.now() + PAID_WITHIN_MS;
  for (;;) {
    const { code, state, payments } = await readNewestOrder();
    if (state === "PaymentSettled") {
      report(`Vendure shows the order ${code} as ${state}, with ${payments.length} payment.`);
      return;
    }
    if (Date.now() > giveUpAt) throw new Error(`The order ${code} is still ${state}.`);
    await sleep(200);
  }
}

type ShownOrder = { readonly code: string; readonly state: string; readonly payments: readonly unknown[] };

/** Logs in as the owner. @returns a function that reads the newest order */
async function logIn(vendureUrl: string, password: string): Promise<() => Promise<ShownOrder>> {
  const adminApi = createGraphQlCaller(`${vendureUrl}/admin-api`);
  const login = 'mutation ($password: String!) { login(username: "owner", password: $password) { __typename } }';
  await adminApi(login, { password });
  return async () => {
    const query = "{ orders(options: { take: 1, sort: { id: DESC } }) { items { code state payments { id } } } }";
    const { orders } = await adminApi<{ orders: { items: ShownOrder[] } }>(query);
    const [newest] = orders.items;
    if (newest) return newest;
    throw new Error("Vendure shows no order.");
  };
}
