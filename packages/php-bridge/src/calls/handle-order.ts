import { codeOf, confirmPayment, type OrderRef, type PaymentState, syncRefunds } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import { z } from "zod";
import type { AppContext } from "../app-context.ts";
import { serverLimits } from "../server-limits.ts";
import { orderKey, orderNumber } from "./call-fields.ts";
import { matchesOrderKey } from "./order-key.ts";
import { orderStatus } from "./order-status.ts";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

const inputSchema = z.object({ order: orderNumber, key: orderKey });

/** Answers `status`: the payments of an order from the ledger, without a call to the service. */
export async function handleStatus(call: PluginCall): Promise<CallResponse> {
  return await respondForOrder(call, async () => undefined);
}

/** Answers `check` like `status`, after a verification of the payments that may have changed at the service. */
export async function handleCheck(call: PluginCall): Promise<CallResponse> {
  const { context } = call;
  return await respondForOrder(call, async (ref) => {
    await resolveWithin(context.clock, serverLimits.checkMs, checkOrderPayments(context, ref));
  });
}

/** In these states money may still arrive, or the shop may not show the payment yet. */
const STATES_TO_VERIFY: readonly PaymentState[] = ["open", "superseded", "expired", "closed", "verified", "review"];
const REFUNDABLE_STATES: readonly PaymentState[] = ["recorded", "refunding", "duplicate"];

/** Verifies the newest payments of an order as after a webhook. The engine's jobs retry a failed verification. */
export async function checkOrderPayments({ engine, ledger, log }: AppContext, ref: OrderRef): Promise<void> {
  const payments = (await ledger.paymentsOfOrder(ref)).slice(-serverLimits.paymentsPerCheck);
  for (const { id, state } of payments) {
    try {
      if (STATES_TO_VERIFY.includes(state)) await confirmPayment(engine, id, { actor: "operator" });
      if (REFUNDABLE_STATES.includes(state)) await syncRefunds(engine, id);
    } catch (error) {
      log.warn("check_failed", { paymentId: id, code: codeOf(error) });
    }
  }
}

async function respondForOrder(call: PluginCall, prepare: (ref: OrderRef) => Promise<void>): Promise<CallResponse> {
  const { context, store, body, messages } = call;
  const input = inputSchema.safeParse(body);
  if (!input.success) return badRequest(call);
  const ref = { storeId: store.config.id, orderId: input.data.order };
  // An order without payments has no key to compare: its answer is empty.
  const hasPayments = (await context.ledger.paymentsOfOrder(ref)).length > 0;
  if (hasPayments && !(await matchesOrderKey(context, store, ref, input.data.key))) {
    return errorResponse(404, "order_not_known", messages.orderNotKnown);
  }
  await prepare(ref);
  return { status: 200, body: await orderStatus(call, ref) };
}
