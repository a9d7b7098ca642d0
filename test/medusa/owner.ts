import { type Call, createCaller, expectOk, type HttpAnswer } from "./http.ts";

export type AdminPayment = {
  readonly id: string;
  readonly amount: number;
  readonly currency_code: string;
  readonly captured_at: string | null;
  readonly canceled_at: string | null;
  readonly captures?: readonly { readonly amount: number }[];
  readonly refunds?: readonly { readonly amount: number }[];
};

export type AdminOrder = {
  readonly id: string;
  readonly status: string;
  readonly payment_status: string;
  readonly total: number;
  readonly payment_collections: readonly { readonly id: string; readonly payments: readonly AdminPayment[] }[];
};

/** A payment as the plugin's admin page shows it. */
export type ShownPayment = {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly checkout_session_id: string;
  readonly finding: string | null;
  readonly seen: string | null;
  readonly problem: string | null;
  readonly transaction_id: string | null;
  readonly open_cart: { readonly total: string; readonly is_sold_out: boolean } | null;
  readonly refunds: readonly { readonly key: string; readonly can_send_again: boolean }[];
};

/** What the plugin's admin page sends with a decision, besides what it showed. */
type DecisionBody = { readonly kind: string; readonly refundKey?: string };

/** The owner of the store, using Medusa's admin API. */
export type Owner = {
  readonly call: Call;
  order(orderId: string): Promise<AdminOrder>;
  /** All payments of an order; normally one. */
  payments(orderId: string): Promise<readonly AdminPayment[]>;
  refund(paymentId: string, amount?: number): Promise<HttpAnswer<unknown>>;
  cancelOrder(orderId: string): Promise<HttpAnswer<unknown>>;
  /** Decides on the plugin's page about what it showed. */
  decide(
    shown: ShownPayment,
    decision: DecisionBody,
    language?: "en" | "fr",
  ): Promise<HttpAnswer<{ payment: ShownPayment }>>;
  /** The payment as the plugin's page shows it now. */
  shown(id: string): Promise<ShownPayment>;
  /** The payments on the plugin's page "Payments to review". */
  paymentsToReview(): Promise<readonly ShownPayment[]>;
  publishableKey(): Promise<string>;
};

export type Login = { readonly email: string; readonly password: string };

export async function createOwner(url: () => string, login: Login): Promise<Owner> {
  const { token } = await expectOk(createCaller(url, {})<{ token: string }>("POST", "/auth/user/emailpass", login));
  const call = createCaller(url, { authorization: `Bearer ${token}` });

  async function order(orderId: string): Promise<AdminOrder> {
    const fields =
      "id,status,payment_status,total,*payment_collections,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds";
    return (await expectOk(call<{ order: AdminOrder }>("GET", `/admin/orders/${orderId}?fields=${fields}`))).order;
  }

  return {
    call,
    order,
    payments: async (orderId) => (await order(orderId)).payment_collections.flatMap(({ payments }) => payments),
    refund: (paymentId, amount) =>
      call("POST", `/admin/payments/${paymentId}/refund`, amount === undefined ? {} : { amount }),
    cancelOrder: (orderId) => call("POST", `/admin/orders/${orderId}/cancel`),
    decide: ({ id, seen }, decision, language = "en") =>
      call("POST", `/admin/tillkit/payments/${id}/decide?language=${language}`, { ...decision, seen }),
    shown: async (id) =>
      (await expectOk(call<{ payment: ShownPayment }>("GET", `/admin/tillkit/payments/${id}`))).payment,
    async paymentsToReview() {
      type Page = { payments: readonly ShownPayment[] };
      return (await expectOk(call<Page>("GET", "/admin/tillkit/payments?filter=review"))).payments;
    },
    async publishableKey() {
      type Keys = { api_keys: { title: string; token: string }[] };
      const { api_keys: keys } = await expectOk(call<Keys>("GET", "/admin/api-keys?type=publishable"));
      const found = keys.find(({ title }) => title === "Storefront");
      if (!found) throw new Error("The seeded store has no publishable key for its storefront.");
      return found.token;
    },
  };
}
