import { type Refund, readRefund } from "../answers/refund.ts";
import type { KeyedCallOptions, PlainCallOptions, Reply } from "../call/call-options.ts";
import type { ListCall } from "../call/list-call.ts";
import { callList, callOne, type SendOperation } from "../call/operation.ts";
import type { RefundQuery, RefundRequest } from "../schemas/refund.ts";

export type Refunds = {
  /** POST /refunds; a confirmation in two steps is done within the call. A string is sent byte for byte. */
  create(body: RefundRequest | string, call: KeyedCallOptions): Promise<Reply<Refund>>;
  /** GET /refunds, newest first. */
  list(query?: RefundQuery, call?: PlainCallOptions): ListCall<Refund>;
  read(id: string, call?: PlainCallOptions): Promise<Reply<Refund>>;
};

export function refunds(send: SendOperation, sendConfirmed: SendOperation): Refunds {
  return {
    create: (body, call) => callOne(sendConfirmed, "RefundsController_create", readRefund, { body }, call),
    list: (query = {}, call) => callList(send, "RefundsController_findAll", readRefund, { query }, call),
    read: (id, call) => callOne(send, "RefundsController_findOne", readRefund, { params: { id } }, call),
  };
}
