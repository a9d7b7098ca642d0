import type { KeyedCallOptions, PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import type { ListCall } from "../call/list-call.ts";
import { callList, callOne, type SendOperation } from "../call/operation.ts";
import { readRefund, type ServiceRefund } from "../models/refund.ts";
import type { RefundQuery, ServiceRefundRequest } from "../schemas/refund.ts";

export type Refunds = {
  /** POST /refunds; a confirmation in two steps is done within the call. A string is sent byte for byte. */
  create(body: ServiceRefundRequest | string, call: KeyedCallOptions): Promise<ServiceResponse<ServiceRefund>>;
  /** GET /refunds, newest first. */
  list(query?: RefundQuery, call?: PlainCallOptions): ListCall<ServiceRefund>;
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<ServiceRefund>>;
};

export function refunds(send: SendOperation, sendConfirmed: SendOperation): Refunds {
  return {
    create: (body, call) => callOne(sendConfirmed, "RefundsController_create", readRefund, { body }, call),
    list: (query = {}, call) => callList(send, "RefundsController_findAll", readRefund, { query }, call),
    read: (id, call) => callOne(send, "RefundsController_findOne", readRefund, { params: { id } }, call),
  };
}
