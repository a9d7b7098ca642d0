import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { codeOf, type Language, type Payment } from "@tillkit/core";
import type { TillkitModule } from "../modules/tillkit/index.ts";
import { asRefusal } from "../provider/refusal.ts";
import type { Till } from "../till/open-till.ts";
import { viewOf } from "./payment-view.ts";

type Route = (request: AuthenticatedMedusaRequest, response: MedusaResponse) => Promise<void>;

export type AdminCall = { readonly till: Till; readonly language: Language; readonly by: string };

/** A route of the admin: Medusa has checked who is asking. Answers what `work` returns, or a sentence. */
export function adminRoute(work: (call: AdminCall, request: AuthenticatedMedusaRequest) => Promise<unknown>): Route {
  return async function route(request, response) {
    const till = await request.scope.resolve<TillkitModule>("tillkit").till();
    const language = request.query.language === "fr" ? "fr" : "en";
    // A name for the story: Medusa's id of the user, never an e-mail.
    const by = request.auth_context?.actor_id ?? "admin";
    try {
      const answer = await work({ till, language, by }, request);
      response.status(answer === null ? 404 : 200).json(answer ?? { message: "There is no such payment." });
    } catch (error) {
      till.log.warn("admin.refused", { code: codeOf(error) });
      throw asRefusal(error, language);
    }
  };
}

/** A route about one payment of this shop: does something to it, then answers it as it is now. */
export function paymentRoute(act: (call: AdminCall, payment: Payment) => Promise<unknown>): Route {
  return adminRoute(async (call, request) => {
    const { ledger, options } = call.till;
    const id = request.params.id ?? "";
    const payment = await ledger.find({ id });
    if (payment?.ref.storeId !== options.storeId) return null;
    await act(call, payment);
    const now = (await ledger.find({ id })) ?? payment;
    return { payment: await viewOf(call.till, now, call.language) };
  });
}
