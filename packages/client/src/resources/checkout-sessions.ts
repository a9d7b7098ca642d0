import type { CallOptions, PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callOne, type SendOperation, toServiceResponse } from "../call/operation.ts";
import {
  type CheckoutSession,
  type OpenedCheckoutSession,
  readCheckoutSession,
  readOpenedCheckoutSession,
} from "../models/checkout-session.ts";
import type { CheckoutSessionRequest } from "../schemas/checkout-session.ts";

export type CheckoutSessions = {
  /** POST /checkout-sessions. A string is sent byte for byte, so that a repeated intent is the same request. */
  create(body: CheckoutSessionRequest | string, call?: CallOptions): Promise<ServiceResponse<OpenedCheckoutSession>>;
  /** GET /checkout-sessions/{id}. An Operator reads delegated sessions too, without `serviceAccount`. */
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<CheckoutSession>>;
};

const CREATE = "CheckoutSessionsController_create";
const NO_PAGE =
  "The service answered without a session id or checkout URL, so there is no page to send the shopper to.";

export function checkoutSessions(send: SendOperation): CheckoutSessions {
  return {
    create: async (body, call = {}) => {
      const answer = await send(CREATE, { body }, call);
      return toServiceResponse(CREATE, answer, readOpenedCheckoutSession, NO_PAGE);
    },
    read: (id, call) =>
      callOne(send, "CheckoutSessionsController_findOne", readCheckoutSession, { params: { id } }, call),
  };
}
