import { type Answer, type Call, caller, good } from "./http.ts";

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

/** A payment as the plugin's page shows it. */
export type ShownPayment = {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly checkout_session_id: string;
  readonly finding: string | null;
};

/** The shop's owner, at Medusa's admin API. */
export type Owner = {
  readonly call: Call;
  order(orderId: string): Promise<AdminOrder>;
  /** All payments of an order: one, when all is well. */
  payments(orderId: string): Promise<readonly AdminPayment[]>;
  refund(paymentId: string, amount?: number): Promise<Answer<unknown>>;
  cancelOrder(orderId: string): Promise<Answer<unknown>>;
  /** What stands on the plugin's page "payments that need attention". */
  attention(): Promise<readonly ShownPayment[]>;
  publishableKey(): Promise<string>;
};

export type Login = { readonly email: string; readonly password: string };

export async function createOwner(url: () => string, login: Login): Promise<Owner> {
  const { token } = await good(caller(url, {})<{ token: string }>("POST", "/auth/user/emailpass", login));
  const call = caller(url, { authorization: `Bearer ${token}` });

  async function order(orderId: string): Promise<AdminOrder> {
    const fields =
      "id,status,payment_status,total,*payment_collections,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds";
    return (await good(call<{ order: AdminOrder }>("GET", `/admin/orders/${orderId}?fields=${fields}`))).order;
  }

  return {
    call,
    order,
    payments: async (orderId) => (await order(orderId)).payment_collections.flatMap(({ payments }) => payments),
    refund: (paymentId, amount) =>
      call("POST", `/admin/payments/${paymentId}/refund`, amount === undefined ? {} : { amount }),
    cancelOrder: (orderId) => call("POST", `/admin/orders/${orderId}/cancel`),
    async attention() {
      type Page = { payments: readonly ShownPayment[] };
      return (await good(call<Page>("GET", "/admin/tillkit/payments?filter=attention"))).payments;
    },
    async publishableKey() {
      type Keys = { api_keys: { title: string; token: string }[] };
      const { api_keys: keys } = await good(call<Keys>("GET", "/admin/api-keys?type=publishable"));
      const found = keys.find(({ title }) => title === "Storefront");
      if (!found) throw new Error("The seeded store has no publishable key for its storefront.");
      return found.token;
    },
  };
}
