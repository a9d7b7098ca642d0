import type { Money } from "@tillkit/core";
import type { ModificationKind, ModificationSession, ModificationSessions } from "../payments/modification-sessions.ts";
import type { CheckoutInput, PaymentSession, PaymentSessions } from "../payments/payment-sessions.ts";
import { urlOf } from "../senders/connected-app.ts";
import { modificationBody, paymentBody, type SessionResponse } from "../senders/session-sender.ts";
import type { ShopEnvironment } from "./shop-environment.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

export type ShopPayments = Pick<
  SimulatedShop,
  | "openCheckout"
  | "postPayment"
  | "startPayment"
  | "openTab"
  | "changeCart"
  | "abandon"
  | "postModification"
  | "requestRefund"
  | "requestCapture"
  | "requestVoid"
>;

/** The actions of shoppers and the merchant with payments of the app. Most actions post a session to one of the app's URLs. */
export function createShopPayments(
  environment: ShopEnvironment,
  sessions: PaymentSessions,
  modifications: ModificationSessions,
): ShopPayments {
  const { domain, origin, clock, connection } = environment;

  async function postPayment(
    session: PaymentSession,
    options: { readonly loseAnswer?: boolean } = {},
  ): Promise<SessionResponse> {
    const { app, sender } = connection();
    const url = urlOf(app, requireUrl(app.paymentUrl, "paymentUrl"));
    const answer = await sender.post(url, domain, paymentBody(session, `${origin}/checkouts/${session.id}`));
    if (options.loseAnswer) return { ...answer, status: 0, redirectUrl: null };
    if (answer.redirectUrl !== null) {
      session.answered = true;
      session.redirectUrl = answer.redirectUrl;
    }
    return answer;
  }

  async function postNew(session: PaymentSession) {
    return { session, answer: await postPayment(session) };
  }

  async function postModification(session: ModificationSession): Promise<SessionResponse> {
    const { app, sender } = connection();
    const urls = { Refund: app.refundUrl, Capture: app.captureUrl, Void: app.voidUrl };
    const url = urlOf(app, requireUrl(urls[session.kind], `${session.kind.toLowerCase()}Url`));
    return await sender.post(url, domain, modificationBody(session));
  }

  async function requestModification(kind: ModificationKind, payment: PaymentSession, amount: Money | null) {
    const { id: paymentId, test } = payment;
    const session = modifications.begin({ kind, paymentId, amount, test, proposedAt: clock.now() });
    return { session, answer: await postModification(session) };
  }

  return {
    openCheckout: (input) => sessions.begin(withDefaults(input)),
    postPayment,
    startPayment: (input) => postNew(sessions.begin(withDefaults(input))),
    openTab: (group) => postNew(sessions.beginSibling(group)),
    changeCart: (group, total) => postNew(sessions.changeTotal(group, total)),
    abandon: (group) => sessions.close(group),
    postModification,
    requestRefund: (payment, amount) => requestModification("Refund", payment, amount),
    requestCapture: (payment, amount) => requestModification("Capture", payment, amount),
    requestVoid: (payment) => requestModification("Void", payment, null),
  };
}

function withDefaults({ total, ...input }: Partial<CheckoutInput> & Pick<CheckoutInput, "total">): CheckoutInput {
  return { total, test: true, kind: "sale", locale: "fr-CI", email: "awa@shopper.example", ...input };
}

function requireUrl(url: string | undefined, name: string): string {
  if (url === undefined) throw new Error(`Connect the app first: connectApp({ ${name} }).`);
  return url;
}
