import { codeOf, limits, parseMoney, toWire } from "@tillkit/core";
import { z } from "zod";
import { amountText, currencyCode } from "./call-fields.ts";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

const inputSchema = z.object({ amount: amountText, currency: currencyCode });

/** Answers `preview`: opens a hosted page with a test key, for the owner only and without an order. */
export async function handlePreview(call: PluginCall): Promise<CallResponse> {
  const { context, store, messages } = call;
  const input = inputSchema.safeParse(call.body);
  if (!input.success) return badRequest(call);
  if (store.environment === "live") return errorResponse(409, "live_key", messages.testKeyOnly);
  try {
    const money = parseMoney(input.data.amount, input.data.currency);
    const credential = await context.engine.tenants.credentialFor(store.config.id, store.environment);
    const service = await context.engine.tenants.service(credential.id);
    const request = JSON.stringify({
      amount: toWire(money, context.config.amountUnit),
      currency_code: money.currency,
      title: "Test",
      success_url: `${store.connection.url}/`,
      cancel_url: `${store.connection.url}/`,
    });
    const idempotencyKey = context.random.uuid();
    const session = await service.openSession({
      request,
      key: idempotencyKey,
      account: credential.account,
      deadlineMs: limits.shopperCallMs,
    });
    return { status: 200, body: { url: session.url } };
  } catch (error) {
    const code = codeOf(error);
    const isAmountError = code === "amount_invalid" || code === "currency_not_supported";
    return isAmountError
      ? errorResponse(422, "amount_invalid", messages.amountInvalid)
      : errorResponse(503, "unavailable", messages.unavailable);
  }
}
