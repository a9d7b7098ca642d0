import { randomUUID } from "node:crypto";
import type { Sandbox } from "../src/index.ts";
import { type ApiOptions, type ApiResponse, api, type Json, newSession } from "./open-sandbox.ts";

/** A request that moves money, under an Idempotency-Key of its own unless it brings one. */
export function move(sandbox: Sandbox, path: string, body: unknown, options: ApiOptions = {}): Promise<ApiResponse> {
  const headers = { "Idempotency-Key": randomUUID(), ...options.headers };
  return api(sandbox, `POST ${path}`, { ...options, body, headers });
}

/** A session that was paid: 25,000 francs by card unless told otherwise. Answers its transaction. */
export async function paid(
  sandbox: Sandbox,
  fields: Json = {},
  method: "card" | "wave" | "mtn" = "card",
): Promise<Json> {
  const { id } = await newSession(sandbox, fields);
  return sandbox.control.paySession(id, { method, outcome: "completed" });
}

/** What is available in a currency. */
export async function balance(sandbox: Sandbox, currency = "XOF", key = sandbox.keys.test.secret): Promise<number> {
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
