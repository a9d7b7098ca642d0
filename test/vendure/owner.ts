import { createGraphQlCaller, type GraphQlCaller } from "@tillkit/example-vendure-store/graphql";
import { OWNER, type ShopName } from "./environment.ts";

/** A payment as the plugin's pages in the dashboard show it. */
export type ShownPayment = {
  readonly id: string;
  readonly orderCode: string;
  readonly state: string;
  readonly amount: string;
  readonly headline: string;
  readonly finding: string | null;
  readonly seen: string | null;
  readonly canAccept: boolean;
  readonly refundable: string | null;
  readonly refunds: readonly { readonly amount: string; readonly state: string }[];
  readonly timeline: readonly { readonly text: string }[];
};

/** Vendure's message about a refused change; null when Vendure made the change. */
export type Refusal = string | null;

/** The owner of the store, using Vendure's Admin API. */
export type Owner = {
  readonly call: GraphQlCaller;
  /** `amount` in hundredths. */
  refund(paymentId: number, amount: number): Promise<Refusal>;
  /** Refunds all items of an order, without an amount: Vendure adds up the prices. `shipping` in hundredths. */
  refundItems(orderId: number, refund: { readonly paymentId: number; readonly shipping: number }): Promise<Refusal>;
  cancelOrder(orderId: number): Promise<Refusal>;
  cancelPayment(paymentId: number): Promise<Refusal>;
  paymentsOfOrder(orderCode: string): Promise<readonly ShownPayment[]>;
  paymentsToReview(): Promise<readonly ShownPayment[]>;
  /** Accepts the difference that this payment showed. */
  accept(payment: ShownPayment | undefined): Promise<ShownPayment>;
  refundHeld(payment: ShownPayment | undefined): Promise<ShownPayment>;
};

const FIELDS = `id orderCode state amount headline finding seen canAccept refundable
  refunds { amount state } timeline { text }`;

const REFUND = `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) {
  __typename ... on ErrorResult { message } ... on RefundStateTransitionError { transitionError } } }`;

export async function createOwner(url: string, shop: ShopName = "ci"): Promise<Owner> {
  const channel: Record<string, string> = shop === "us" ? { "vendure-token": "us" } : {};
  const call = createGraphQlCaller(`${url}/admin-api`, channel);
  await call(
    "mutation ($username: String!, $password: String!) { login(username: $username, password: $password) { __typename } }",
    OWNER,
  );

  async function change(query: string, variables: Readonly<Record<string, unknown>>): Promise<Refusal> {
    try {
      const data = await call<Record<string, { message?: string; transitionError?: string }>>(query, variables);
      const [result] = Object.values(data);
      return result?.transitionError ?? result?.message ?? null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  return {
    call,
    refund: (paymentId, amount) =>
      change(REFUND, { input: { paymentId: String(paymentId), amount, lines: [], shipping: 0, adjustment: 0 } }),
    async refundItems(orderId, { paymentId, shipping }) {
      type Lines = { order: { lines: { id: string; quantity: number }[] } };
      const { order } = await call<Lines>("query ($id: ID!) { order(id: $id) { lines { id quantity } } }", {
        id: String(orderId),
      });
      const lines = order.lines.map(({ id, quantity }) => ({ orderLineId: id, quantity }));
      return await change(REFUND, { input: { paymentId: String(paymentId), lines, shipping, adjustment: 0 } });
    },
    cancelOrder: (orderId) =>
      change(
        "mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { __typename ... on ErrorResult { message } } }",
        { input: { orderId: String(orderId), cancelShipping: true } },
      ),
    cancelPayment: (paymentId) =>
      change("mutation ($id: ID!) { cancelPayment(id: $id) { __typename ... on ErrorResult { message } } }", {
        id: String(paymentId),
      }),
    async paymentsOfOrder(orderCode) {
      const query = `query ($code: String!) { payments: tillkitPaymentsOfOrder(orderCode: $code) { ${FIELDS} } }`;
      return (await call<{ payments: ShownPayment[] }>(query, { code: orderCode })).payments;
    },
    async paymentsToReview() {
      return (await call<{ payments: ShownPayment[] }>(`{ payments: tillkitPaymentsToReview { ${FIELDS} } }`)).payments;
    },
    async accept(payment) {
      const query = `mutation ($id: String!, $seen: String!) {
        payment: acceptTillkitPayment(id: $id, seen: $seen) { ${FIELDS} } }`;
      const variables = { id: payment?.id ?? "", seen: payment?.seen ?? "" };
      return (await call<{ payment: ShownPayment }>(query, variables)).payment;
    },
    async refundHeld(payment) {
      const query = `mutation ($id: String!, $seen: String!) {
        payment: refundTillkitPayment(id: $id, seen: $seen) { ${FIELDS} } }`;
      const variables = { id: payment?.id ?? "", seen: payment?.seen ?? "" };
      return (await call<{ payment: ShownPayment }>(query, variables)).payment;
    },
  };
}
