import { readShopifySchema, type ShopifyVersion } from "@tillkit/shopify-simulator";
import { parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import * as orderDetails from "../src/operations/order-detail-operations.ts";
import * as orderMutations from "../src/operations/order-mutations.ts";
import * as orderQueries from "../src/operations/order-queries.ts";
import * as payments from "../src/operations/payments-operations.ts";
import * as refunds from "../src/operations/refund-operations.ts";
import * as shops from "../src/operations/shop-operations.ts";
import { apiVersionsOperation } from "../src/operations/version-operations.ts";
import * as webhooks from "../src/operations/webhook-operations.ts";
import type { Operation } from "../src/shopify-api/operation.ts";

const VERSIONS = ["2026-01", "2026-04", "2026-07", "2026-10"] as const satisfies readonly ShopifyVersion[];
const APIS = { payments: "payments-apps", admin: "admin" } as const;

/** The validation errors of an operation against Shopify's schema of a version. */
async function validationErrors(
  text: string,
  api: Operation<unknown>["api"],
  version: ShopifyVersion,
): Promise<string[]> {
  const schema = await readShopifySchema(APIS[api], version);
  return validate(schema, parse(text)).map(({ message }) => message);
}

function isOperation(value: unknown): value is Operation<unknown> {
  return typeof value === "object" && value !== null && "text" in value && "schema" in value;
}

const modules = [payments, orderQueries, orderMutations, orderDetails, refunds, shops, webhooks];
const { refund, capture, void: voidOperations } = payments.modificationMutations;
const paymentsApiVersions = apiVersionsOperation("offsite");
const adminApiVersions = apiVersionsOperation("order");
const operations = [...modules, refund, capture, voidOperations]
  .flatMap((group) => Object.values(group) as unknown[])
  .concat(paymentsApiVersions, adminApiVersions)
  .filter(isOperation);

describe.each(VERSIONS)("version %s of Shopify's API", (version) => {
  test.each(operations.map((operation) => [`${operation.api} ${operation.name}`, operation] as const))(
    "the schema of the API accepts the operation %s",
    async (_name, { api, text }) => {
      expect(await validationErrors(text, api, version)).toEqual([]);
    },
  );
});

test("the list of validated operations is complete", () => {
  const names = operations.map(({ api, name }) => `${api} ${name}`).sort();
  expect(names).toEqual(
    [
      "admin OrderCapture",
      "admin OrderCreateManualPayment",
      "admin OrderCustomerRead",
      "admin OrderItemsRead",
      "admin OrderMarkAsPaid",
      "admin OrderMetafieldsDelete",
      "admin OrderMetafieldsSet",
      "admin OrderRead",
      "admin OrderRefundsRead",
      "admin OrdersFind",
      "admin OrderTag",
      "admin PublicApiVersions",
      "admin RefundCreate",
      "admin RefundedOrdersFind",
      "admin RefundRead",
      "admin ShopRead",
      "admin WebhookCreate",
      "admin WebhooksList",
      "payments CaptureSessionReject",
      "payments CaptureSessionResolve",
      "payments PaymentSessionPending",
      "payments PaymentSessionReject",
      "payments PaymentSessionResolve",
      "payments PaymentsAppConfigure",
      "payments PublicApiVersions",
      "payments RefundSessionReject",
      "payments RefundSessionResolve",
      "payments VoidSessionReject",
      "payments VoidSessionResolve",
    ].sort(),
  );
});

test("a query of `reason` in two session states without aliases is invalid, because the two fields have different types", async () => {
  const clash = `mutation M($id: ID!) { paymentSessionResolve(id: $id) { paymentSession { state {
    ... on PaymentSessionStateRejected { reason } ... on PaymentSessionStatePending { reason } } } } }`;
  expect(await validationErrors(clash, "payments", "2026-07")).not.toEqual([]);
});
