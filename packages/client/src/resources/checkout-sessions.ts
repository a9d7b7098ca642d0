import type { CallOptions, PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callOne, type SendOperation, toServiceResponse } from "../call/operation.ts";
import {
  type CheckoutSession,
  type OpenedCheckoutSession,
  parseCheckoutSession,
  parseOpenedCheckoutSession,
} from "../models/checkout-session.ts";
import type { CheckoutSessionRequest } from "../requests/checkout-session.ts";

export type CheckoutSessions = {
  /** POST /checkout-sessions. A string body is sent unchanged, so that a stored request can be repeated exactly. */
  create(body: CheckoutSessionRequest | string, options?: CallOptions): Promise<ServiceResponse<OpenedCheckoutSession>>;
  /** GET /checkout-sessions/{id}. An Operator reads delegated sessions too, without `serviceAccount`. */
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<CheckoutSession>>;
};

const CREATE = "CheckoutSessionsController_create";
const CANNOT_REDIRECT =
  "The service's response lacks the session id or the checkout URL, so the shopper cannot be redirected.";

export function checkoutSessions(send: SendOperation): CheckoutSessions {
  return {
    create: async (body, options = {}) => {
      const response = await send(CREATE, { body }, options);
      return toServiceResponse(CREATE, response, parseOpenedCheckoutSession, CANNOT_REDIRECT);
    },
    read: (id, options) =>
      callOne(send, "CheckoutSessionsController_findOne", parseCheckoutSession, { params: { id } }, options),
  };
}
