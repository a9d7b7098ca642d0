import type { Endpoint } from "@tillkit/client/endpoints";
import type { ServiceClient } from "../src/service-client.ts";

/** An object with the id of every kind of resource. */
export const RESOURCE = {
  id: "wh_1",
  url: "https://shop.example/hook",
  checkout_session_id: "s1",
  checkout_url: "https://pay.service.example/cs_1",
  transaction_id: "t1",
  refund_id: "r1",
  request_id: "q1",
  payment_link: "https://pay.service.example/q1",
  payout_id: "p1",
  instant_settlement_id: "i1",
  customer_id: "c1",
  account_id: "a1",
  currency_code: "XOF",
  organization_id: "o1",
  merchant_id: "m1",
  provider_code: "WAVE",
  success: true,
  delivered: true,
};

type Method = (...args: unknown[]) => Promise<{ data: unknown }>;

export function methodOf(client: ServiceClient, { clientMethod }: Endpoint): Method {
  const [resource = "", method = ""] = clientMethod.split(".");
  return (client as unknown as Record<string, Record<string, Method>>)[resource]?.[method] as Method;
}

/** The arguments of a method: path parameters, then body or query, then options. */
export function argumentsFor({ method, path, idempotency }: Endpoint, takesQuery: boolean): unknown[] {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}-1`);
  const takesBody = method === "PATCH" || (method === "POST" && !path.endsWith("/test") && !path.endsWith("/retry"));
  const body = takesBody ? [{ amount: 1 }] : [];
  const query = takesQuery && !takesBody ? [{}] : [];
  const options = idempotency === "required" ? { idempotencyKey: "key-1" } : {};
  return [...params, ...body, ...query, options];
}
