import type { CallOptions, ServiceResponse } from "../call/call-options.ts";
import { callOne, type SendOperation } from "../call/operation.ts";
import {
  type InstantSettlement,
  type PaymentRequest,
  type Payout,
  parseInstantSettlement,
  parsePaymentRequest,
  parsePayout,
} from "../models/money-movement.ts";
import type { InstantSettlementRequest, PaymentRequestRequest, PayoutRequest } from "../requests/money-movement.ts";

export type PaymentRequests = {
  /** POST /payment-requests */
  create(body: PaymentRequestRequest | string, options?: CallOptions): Promise<ServiceResponse<PaymentRequest>>;
};

export type Payouts = {
  /** POST /payouts; the client confirms the payout if the service asks (API.md#confirmation-in-two-steps). */
  create(body: PayoutRequest | string, options?: CallOptions): Promise<ServiceResponse<Payout>>;
};

export type Settlements = {
  /** POST /settlements/instant; the client confirms the settlement if the service asks (API.md#confirmation-in-two-steps). */
  instant(body: InstantSettlementRequest | string, options?: CallOptions): Promise<ServiceResponse<InstantSettlement>>;
};

export function paymentRequests(send: SendOperation): PaymentRequests {
  return {
    create: (body, options) =>
      callOne(send, "PaymentRequestsController_create", parsePaymentRequest, { body }, options),
  };
}

export function payouts(sendConfirmed: SendOperation): Payouts {
  return {
    create: (body, options) => callOne(sendConfirmed, "PayoutsController_create", parsePayout, { body }, options),
  };
}

export function settlements(sendConfirmed: SendOperation): Settlements {
  return {
    instant: (body, options) =>
      callOne(sendConfirmed, "SettlementsController_instant", parseInstantSettlement, { body }, options),
  };
}
