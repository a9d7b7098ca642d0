import type {
  CardChargeRequest,
  CheckoutSession,
  CheckoutSessionRequest,
  CustomerRequest,
  CustomerUpdate,
  InstantSettlementRequest,
  MtnChargeRequest,
  PaymentRequestRequest,
  PayoutRequest,
  ServiceClient,
  ServiceEvent,
  ServiceRefundRequest,
  UnknownValue,
  WaveChargeRequest,
  WebhookEndpointRequest,
  WebhookEndpointUpdate,
} from "@tillkit/client";
import type { operationSchemas } from "@tillkit/client/schemas";
import { describe, expectTypeOf, test } from "vitest";
import type { z } from "zod";

type Body<Operation extends keyof typeof operationSchemas> = (typeof operationSchemas)[Operation] extends {
  body: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : never;

/** The schema names these fields only to refuse them. */
type RefusedField = "transfer_data" | "transfer_group";

/** The fields that the client names and the schema accepts are the same, and their types accept each other. */
type SameFields<Named, Schema> = [keyof Named] extends [keyof Schema]
  ? [Exclude<keyof Schema, RefusedField>] extends [keyof Named]
    ? Named extends Pick<Schema, keyof Named & keyof Schema>
      ? Pick<Schema, keyof Named & keyof Schema> extends Named
        ? true
        : "the schema accepts more"
      : "the type accepts more"
    : "the schema has other fields"
  : "the type has other fields";

describe("the types of requests", () => {
  test("the type of every request says what its schema accepts", () => {
    expectTypeOf<SameFields<CheckoutSessionRequest, Body<"CheckoutSessionsController_create">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<WaveChargeRequest, Body<"ChargesController_wave">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<MtnChargeRequest, Body<"ChargesController_mtn">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<CardChargeRequest, Body<"ChargesController_card">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<ServiceRefundRequest, Body<"RefundsController_create">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<PaymentRequestRequest, Body<"PaymentRequestsController_create">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<PayoutRequest, Body<"PayoutsController_create">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<InstantSettlementRequest, Body<"SettlementsController_instant">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<CustomerRequest, Body<"CustomersController_create">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<CustomerUpdate, Body<"CustomersController_update">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<WebhookEndpointRequest, Body<"WebhooksController_create">>>().toEqualTypeOf<true>();
    expectTypeOf<SameFields<WebhookEndpointUpdate, Body<"WebhooksController_update">>>().toEqualTypeOf<true>();
  });

  test("a misspelt value or field of a request is a type error", () => {
    type Create = Parameters<ServiceClient["checkoutSessions"]["create"]>[0];
    expectTypeOf<{ amount: 1; currency_code: "XOF" }>().toExtend<Create>();
    expectTypeOf<{ amount: 1; currency_code: "GBP" }>().not.toExtend<Create>();
    type List = NonNullable<Parameters<ServiceClient["transactions"]["list"]>[0]>;
    expectTypeOf<{ status: "completed" }>().toExtend<List>();
    expectTypeOf<{ status: "complete" }>().not.toExtend<List>();
    expectTypeOf<{ status: ["completed", "complete"] }>().not.toExtend<List>();
  });
});

describe("the types of responses", () => {
  const session = {} as CheckoutSession;

  test("a misspelt status is a type error", () => {
    expectTypeOf(session.status === "completed").toEqualTypeOf<boolean>();
    // @ts-expect-error: no session has this status
    expectTypeOf(session.status === "complete").toEqualTypeOf<boolean>();
  });

  test("a status that this version does not know can be made a string", () => {
    if (session.status === "open" || session.status === "completed" || session.status === "expired") return;
    if (session.status !== undefined) expectTypeOf(session.status).toEqualTypeOf<UnknownValue>();
    expectTypeOf(String(session.status)).toEqualTypeOf<string>();
  });

  test("the name of an event decides which resource the event holds", () => {
    const event = { event: "X" } as unknown as ServiceEvent;
    if (event.event === "PAYMENT_SUCCEEDED")
      expectTypeOf(event.transaction?.grossAmount).toEqualTypeOf<number | undefined>();
    if (event.event === "REFUND_FAILED") expectTypeOf(event.refund?.amount).toEqualTypeOf<number | undefined>();
    if (event.event === "SUBSCRIPTION_UPDATED") expectTypeOf(event.previousAttributes).toExtend<object>();
    // @ts-expect-error: no event has this name
    if (event.event === "PAYMENT_SUCCEDED") return;
    // @ts-expect-error: a dispute is no payment
    if (event.event === "DISPUTE_CREATED") void event.transaction;
  });
});
