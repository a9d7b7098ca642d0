import { decimalsOf, formatMoney, parseMoney, safeReason, toWire } from "@tillkit/core";
import { z } from "zod";
import type { AppContext } from "../app-context.ts";
import { endpointOf } from "../config/credentials.ts";
import { examineService } from "../doctor/examine-service.ts";
import { createWebhookRoundTrip, type WebhookRoundTrip } from "../doctor/webhook-round-trip.ts";
import { PROTOCOL } from "../names.ts";
import { amountText, currencyCode } from "./call-fields.ts";
import { moneyJson } from "./money-json.ts";
import { operatorsUrl } from "./operators-url.ts";
import { badRequest, type CallResponse, type PluginCall } from "./receive-call.ts";

const inputSchema = z.object({
  amount: amountText.optional(),
  currency: currencyCode.optional(),
  webhook: z.boolean().optional(),
});

/** Answers `health`: the checks that the settings page of the plugin shows. */
export function createHealthHandler(context: AppContext): (call: PluginCall) => Promise<CallResponse> {
  const roundTrip = createWebhookRoundTrip(context);

  return async function health(call) {
    const input = inputSchema.safeParse(call.body);
    if (!input.success || (input.data.amount === undefined) !== (input.data.currency === undefined))
      return badRequest(call);
    const { store } = call;
    const { amount, currency, webhook } = input.data;
    const [shop, service, webhookCheck] = await Promise.all([
      checkShop(call),
      checkServiceKey(call),
      webhook === true ? checkWebhook(call, roundTrip) : null,
    ]);
    const body = {
      protocol: PROTOCOL,
      version: context.platform.version,
      time: Math.floor(context.clock.now() / 1_000),
      store: store.config.id,
      environment: store.environment,
      takes_payments: store.takesPayments,
      currencies: store.config.currencies,
      decimals: Object.fromEntries(store.config.currencies.map((code) => [code, decimalsOf(code)])),
      shop,
      service,
      amount: amount === undefined || currency === undefined ? null : checkAmount(call, amount, currency),
      webhook: webhookCheck,
      // The owner of one shop of many has no token for these pages. The plugin has a button that opens them with this shop.
      operators_url: context.selfService === null ? operatorsUrl(context) : null,
    };
    return { status: 200, body };
  };
}

type HealthCheck = { readonly ok: boolean; readonly message: string };

async function checkShop({ store, messages }: PluginCall): Promise<HealthCheck & { readonly writes: string }> {
  const writes = store.adapter.writes.kind;
  const { place } = store.connection.platform;
  const messageOf = { "by-plugin": messages.shopByPlugin, "by-rest": messages.shopByRest } as const;
  try {
    const found = await store.connection.examine();
    if (found === "unreachable") return { ok: false, message: messages.shopPluginUnreachable(place.name), writes };
    if (!store.takesPayments) return { ok: false, message: messages.takesNoPayments, writes };
    return { ok: true, message: messageOf[found], writes };
  } catch (error) {
    return { ok: false, message: messages.shopFails(safeReason(error)), writes };
  }
}

async function checkServiceKey({ context, store, messages }: PluginCall): Promise<HealthCheck> {
  const problem = await examineService(context.engine, store.config.id, store.environment);
  return problem === null
    ? { ok: true, message: messages.serviceWorks }
    : { ok: false, message: messages.serviceFails(problem) };
}

async function checkWebhook(
  { context, store, messages }: PluginCall,
  roundTrip: WebhookRoundTrip,
): Promise<HealthCheck & { readonly last: number | null }> {
  const [problem, page] = await Promise.all([
    roundTrip(store.config, store.environment),
    context.ledger.listDeliveries({ outcome: "processed", limit: 50 }),
  ]);
  const last = page.rows.find(({ endpointId }) => endpointId === endpointOf(store.config));
  return {
    ok: problem === null,
    message: problem === null ? messages.webhookArrived : messages.webhookLost(problem),
    last: last ? Math.floor(last.receivedAt / 1_000) : null,
  };
}

/** The integer that is sent to the service for a total of the shop, and the amount that the hosted page must show for it. */
function checkAmount({ context, store, language, messages }: PluginCall, text: string, currency: string): object {
  if (!store.config.currencies.includes(currency)) {
    return { ok: false, message: messages.currencyNotAccepted(currency), wire_amount: null, unit: null, shown: null };
  }
  const unit = context.config.amountUnit;
  try {
    const amount = parseMoney(text, currency);
    const message = messages.compareAmount(formatMoney(amount, language));
    return { ok: true, message, wire_amount: toWire(amount, unit), unit, shown: moneyJson(amount, language) };
  } catch {
    return { ok: false, message: messages.amountInvalid, wire_amount: null, unit, shown: null };
  }
}
