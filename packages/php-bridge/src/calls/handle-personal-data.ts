import { formatMoney, type OrderRef } from "@tillkit/core";
import type { OrderExport } from "@tillkit/core/ledger";
import { z } from "zod";
import { orderKey, orderNumber } from "./call-fields.ts";
import { matchesOrderKey } from "./order-key.ts";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

const inputSchema = z.object({ order: orderNumber, key: orderKey });

/** Answers `export`: everything that the ledger stores about an order, as sentences for the person whose data it is. */
export async function handleExport(call: PluginCall): Promise<CallResponse> {
  return await respondForOrder(call, async (ref) => {
    const stored = await call.context.ledger.exportOrder(ref);
    return { order: ref.orderId, ...(stored === null ? NOTHING : describeExport(call, stored)) };
  });
}

/** Answers `erase`: empties the personal data of an order's final payments now, instead of after the retention time. */
export async function handleErase(call: PluginCall): Promise<CallResponse> {
  return await respondForOrder(call, async (ref) => {
    const { erased, unfinished } = await call.context.ledger.eraseOrders([ref]);
    call.context.log.info("personal_data_erased", { orderId: ref.orderId, erased, unfinished });
    return { order: ref.orderId, erased, unfinished };
  });
}

const NOTHING = { payments: [], transactions: [], refunds: [], disputes: [], messages: [] };

function describeExport({ language }: PluginCall, stored: OrderExport): object {
  const { payments, transactions, refunds, disputes, deliveries } = stored;
  return {
    payments: payments.map(({ amountDue, createdAt, state, session, transactionId }) =>
      join([formatMoney(amountDue, language), dateOf(createdAt), state, session?.id, transactionId]),
    ),
    transactions: transactions.map(({ amount, at, id, code }) =>
      join([formatMoney(amount, language), dateOf(at), id, code]),
    ),
    refunds: refunds.map(({ amount, state, refundId }) => join([formatMoney(amount, language), state, refundId])),
    disputes: disputes.map(({ id, status }) => join([id, status])),
    messages: deliveries.map(({ receivedAt, body }) => join([dateOf(receivedAt), body])),
  };
}

function join(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part).join(" · ");
}

function dateOf(at: number): string {
  return new Date(at).toISOString();
}

async function respondForOrder(call: PluginCall, answer: (ref: OrderRef) => Promise<object>): Promise<CallResponse> {
  const { context, store, messages } = call;
  const input = inputSchema.safeParse(call.body);
  if (!input.success) return badRequest(call);
  const ref = { storeId: store.config.id, orderId: input.data.order };
  const hasPayments = (await context.ledger.paymentsOfOrder(ref)).length > 0;
  if (hasPayments && !(await matchesOrderKey(context, store, ref, input.data.key))) {
    return errorResponse(404, "order_not_known", messages.orderNotKnown);
  }
  return { status: 200, body: await answer(ref) };
}
