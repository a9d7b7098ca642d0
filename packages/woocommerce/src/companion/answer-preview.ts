import { codeOf, limits, parseMoney, toWire } from "@tillkit/core";
import { z } from "zod";
import { amountText, currencyCode } from "./call-fields.ts";
import { badRequest, type Call, type CallAnswer, refuseCall } from "./take-call.ts";

const schema = z.object({ amount: amountText, currency: currencyCode });

/** A hosted page for the owner's eyes, with a test key and tied to no order: what it shows is what shoppers will see. */
export async function answerPreview(call: Call): Promise<CallAnswer> {
  const { desk, store, words } = call;
  const wish = schema.safeParse(call.body);
  if (!wish.success) return badRequest(call);
  if (store.environment === "live") return refuseCall(409, "live_key", words.liveKey);
  try {
    const money = parseMoney(wish.data.amount, wish.data.currency);
    const { id, account } = await desk.engine.tenants.credentialFor(store.config.id, store.environment);
    const service = await desk.engine.tenants.service(id);
    const request = JSON.stringify({
      amount: toWire(money, desk.config.amountUnit),
      currency_code: money.currency,
      title: "Test",
      success_url: `${store.shop.url}/`,
      cancel_url: `${store.shop.url}/`,
    });
    const key = desk.random.uuid();
    const session = await service.openSession({ request, key, account, deadlineMs: limits.shopperCallMs });
    return { status: 200, body: { url: session.url } };
  } catch (error) {
    const code = codeOf(error);
    const isAmount = code === "amount_invalid" || code === "currency_not_supported";
    return isAmount
      ? refuseCall(422, "amount_invalid", words.amountInvalid)
      : refuseCall(503, "unavailable", words.unavailable);
  }
}
