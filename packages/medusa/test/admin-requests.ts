import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import type { DecisionBody } from "../src/admin-api/decide-payment.ts";
import type { PaymentView } from "../src/admin-api/payment-view.ts";
import { POST as decideRoute } from "../src/api/admin/tillkit/payments/[id]/decide/route.ts";
import { GET as readRoute } from "../src/api/admin/tillkit/payments/[id]/route.ts";
import type { CheckoutRuntime } from "../src/runtime/open-runtime.ts";

type Route = (request: AuthenticatedMedusaRequest, response: MedusaResponse) => Promise<void>;
type Sent = { readonly params?: object; readonly query?: object; readonly body?: object };

/** The requests of a person who uses the plugin's pages in Medusa's admin. */
export type AdminRequests = {
  /** Calls a route as Medusa does after it authenticated the user. */
  request(route: Route, sent?: Sent): Promise<{ readonly status: number; readonly body: unknown }>;
  /** What a page that is opened now shows of a payment. */
  read(id: string, language?: "en" | "fr"): Promise<PaymentView>;
  /** Decides what the page showed as `seen`; absent: what a page that is opened now shows. */
  decide(id: string, decision: DecisionBody, page?: { seen?: string; language?: "en" | "fr" }): Promise<PaymentView>;
};

export function createAdminRequests(runtime: () => Promise<CheckoutRuntime>): AdminRequests {
  async function request(route: Route, { params = {}, query = {}, body = {} }: Sent = {}) {
    const answer = { status: 0, body: undefined as unknown };
    const response = {
      status(status: number) {
        answer.status = status;
        return response;
      },
      json(value: unknown) {
        answer.body = value;
      },
    };
    const auth = { auth_context: { actor_id: "user_01" }, scope: { resolve: () => ({ runtime }) } };
    const adminRequest = { params, query, body, ...auth } as unknown as AuthenticatedMedusaRequest;
    await route(adminRequest, response as unknown as MedusaResponse);
    return answer;
  }

  async function read(id: string, language = "en") {
    const { body } = await request(readRoute, { params: { id }, query: { language } });
    return (body as { payment: PaymentView }).payment;
  }

  return {
    request,
    read,
    async decide(id, decision, { seen, language = "en" } = {}) {
      const body = { ...decision, seen: seen ?? (await read(id)).seen };
      const answer = await request(decideRoute, { params: { id }, query: { language }, body });
      return (answer.body as { payment: PaymentView }).payment;
    },
  };
}
