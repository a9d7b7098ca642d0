import type { KeyedCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callOne, type SendOperation } from "../call/operation.ts";
import {
  type InstantSettlement,
  type PaymentRequest,
  type Payout,
  readInstantSettlement,
  readPaymentRequest,
  readPayout,
} from "../models/money-movement.ts";
import type { InstantSettlementRequest, PaymentRequestRequest, PayoutRequest } from "../schemas/money-movement.ts";

export type PaymentRequests = {
  /** POST /payment-requests */
  create(body: PaymentRequestRequest | string, call: KeyedCallOptions): Promise<ServiceResponse<PaymentRequest>>;
};

export type Payouts = {
  /** POST /payouts; a confirmation in two steps is done within the call. */
  create(body: PayoutRequest | string, call: KeyedCallOptions): Promise<ServiceResponse<Payout>>;
};

export type Settlements = {
  /** POST /settlements/instant; a confirmation in two steps is done within the call. */
  instant(body: InstantSettlementRequest | string, call: KeyedCallOptions): Promise<ServiceResponse<InstantSettlement>>;
};

export function paymentRequests(send: SendOperation): PaymentRequests {
  return {
    create: (body, call) => callOne(send, "PaymentRequestsController_create", readPaymentRequest, { body }, call),
  };
}

export function payouts(sendConfirmed: SendOperation): Payouts {
  return { create: (body, call) => callOne(sendConfirmed, "PayoutsController_create", readPayout, { body }, call) };
}

export function settlements(sendConfirmed: SendOperation): Settlements {
  return {
    instant: (body, call) =>
      callOne(sendConfirmed, "SettlementsController_instant", readInstantSettlement, { body }, call),
  };
}
