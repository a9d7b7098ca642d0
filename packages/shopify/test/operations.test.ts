import { readShopifySchema, type ShopifyVersion } from "@tillkit/testkit/shopify";
import { parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import * as admin from "../src/graphql/admin-operations.ts";
import type { Operation } from "../src/graphql/operation.ts";
import * as payments from "../src/graphql/payments-operations.ts";

const VERSIONS = ["2026-01", "2026-04", "2026-07", "2026-10"] as const satisfies readonly ShopifyVersion[];
const APIS = { payments: "payments-apps", admin: "admin" } as const;

/** What Shopify's own schema of that version says against a text. */
async function mistakesIn(text: string, api: Operation<unknown>["api"], version: ShopifyVersion): Promise<string[]> {
  const schema = await readShopifySchema(APIS[api], version);
  return validate(schema, parse(text)).map(({ message }) => message);
}

function isOperation(value: unknown): value is Operation<unknown> {
  return typeof value === "object" && value !== null && "text" in value && "schema" in value;
}

const all = [payments, admin, payments.moneyMutations, ...Object.values(payments.moneyMutations)]
  .flatMap((place) => Object.values(place) as unknown[])
  .filter(isOperation);

describe.each(VERSIONS)("version %s of Shopify's API", (version) => {
  test.each(all.map((operation) => [`${operation.api} ${operation.name}`, operation] as const))(
    "takes %s as we send it",
    async (_name, { api, text }) => {
      expect(await mistakesIn(text, api, version)).toEqual([]);
    },
  );
});

test("every operation that there is was looked at, and no other text is sent", () => {
  const names = all.map(({ api, name }) => `${api} ${name}`).sort();
  expect(names).toEqual(
    [
      ...["OrderCapture", "OrderCreateManualPayment", "OrderKeep", "OrderMarkAsPaid", "OrderRead", "OrdersFind"],
      ...["OrderTag", "PublicApiVersions", "RefundCreate", "RefundRead", "WebhookCreate", "WebhooksList"],
    ]
      .map((name) => `admin ${name}`)
      .concat(
        [
          ...["CaptureSessionReject", "CaptureSessionResolve", "PaymentSessionPending", "PaymentSessionReject"],
          ...["PaymentSessionResolve", "PaymentsAppConfigure", "PublicApiVersions", "RefundSessionReject"],
          ...["RefundSessionResolve", "VoidSessionReject", "VoidSessionResolve"],
        ].map((name) => `payments ${name}`),
      )
      .sort(),
  );
});

test("what two parts of a session's state call reason has two types, and has to be asked for under two names", async () => {
  const clash = `mutation M($id: ID!) { paymentSessionResolve(id: $id) { paymentSession { state {
    ... on PaymentSessionStateRejected { reason } ... on PaymentSessionStatePending { reason } } } } }`;
  expect(await mistakesIn(clash, "payments", "2026-07")).not.toEqual([]);
});
