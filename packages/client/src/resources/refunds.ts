import type { CallOptions, PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callList, callOne, type ListCall, type SendOperation } from "../call/operation.ts";
import { parseRefund, parseRefundRow, type RefundRow, type ServiceRefund } from "../models/refund.ts";
import type { RefundQuery, ServiceRefundRequest } from "../requests/refund.ts";

export type Refunds = {
  /**
   * POST /refunds; the client confirms the refund if the service asks (API.md#confirmation-in-two-steps). A string body is
   * sent unchanged.
   */
  create(body: ServiceRefundRequest | string, options?: CallOptions): Promise<ServiceResponse<ServiceRefund>>;
  /** GET /refunds, newest first. A row may lack its refund ID. */
  list(query?: RefundQuery, options?: PlainCallOptions): ListCall<RefundRow>;
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<ServiceRefund>>;
};

export function refunds(send: SendOperation, sendConfirmed: SendOperation): Refunds {
  return {
    create: (body, options) => callOne(sendConfirmed, "RefundsController_create", parseRefund, { body }, options),
    list: (query = {}, options) => callList(send, "RefundsController_findAll", parseRefundRow, { query }, options),
    read: (id, options) => callOne(send, "RefundsController_findOne", parseRefund, { params: { id } }, options),
  };
}
