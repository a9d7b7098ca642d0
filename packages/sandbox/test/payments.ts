import { randomUUID } from "node:crypto";
import type { Sandbox } from "../src/index.ts";
import { type ApiOptions, type ApiResponse, api, type Json, newSession } from "./open-sandbox.ts";

/** A POST that moves or requests money, under a new Idempotency-Key unless `options.headers` has one. */
export function moveMoney(
  sandbox: Sandbox,
  path: string,
  body: unknown,
  options: ApiOptions = {},
): Promise<ApiResponse> {
  const headers = { "Idempotency-Key": randomUUID(), ...options.headers };
  return api(sandbox, `POST ${path}`, { ...options, body, headers });
}

/** Opens and pays a session, by default 25,000 francs by card. Returns the transaction. */
export async function payNewSession(
  sandbox: Sandbox,
  fields: Json = {},
  { method = "card" }: { method?: "card" | "wave" | "mtn" } = {},
): Promise<Json> {
  const { id } = await newSession(sandbox, fields);
  return sandbox.control.paySession(id, { method, outcome: "completed" });
}

/** The available balance: by default in francs, of the merchant with the secret test key. */
export async function balance(
  sandbox: Sandbox,
  { currency = "XOF", key = sandbox.keys.test.secret }: { currency?: string; key?: string } = {},
): Promise<number> {
  const { json } = await api(sandbox, `GET /accounts/balance?currency=${currency}`, { key });
  return json[0]?.balance ?? 0;
}

/** The names of all events so far, oldest first. */
export async function eventNames(sandbox: Sandbox): Promise<string[]> {
  return (await sandbox.control.listEvents()).map(({ event }) => event).reverse();
}

const awa = { name: "Awa Diop", phoneNumber: "+2250700000123", email: "awa@example.test" };
export const mobileCharge = { amount: 5000, currency: "XOF", customer: awa, description: "Order 1042" };
export const cardCharge = {
  amount: 10_000,
  currency_code: "XOF",
  customer_name: "Awa Diop",
  customer_email: "awa@example.test",
};

/** What `mobileCharge` and `payNewSession` add to the balance: the amount less 2.5 %, the default of the setting `feeBps`. */
export const NET_OF_MOBILE_CHARGE = 4_875;
export const NET_OF_SESSION = 24_375;
