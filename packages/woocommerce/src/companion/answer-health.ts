import { decimalsOf, formatMoney, parseMoney, safeReason, toWire } from "@tillkit/core";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import type { StoreConfig } from "../config/config.ts";
import { endpointOf } from "../config/credentials.ts";
import { examineService } from "../doctor/examine-service.ts";
import { PROTOCOL } from "../protocol/names.ts";
import { amountText, currencyCode } from "./call-fields.ts";
import type { Desk } from "./desk.ts";
import { moneyAnswer } from "./money-answer.ts";
import { createRoundTrip } from "./round-trip.ts";
import { badRequest, type Call, type CallAnswer } from "./take-call.ts";

const schema = z.object({
  amount: amountText.optional(),
  currency: currencyCode.optional(),
  webhook: z.boolean().optional(),
});

/** What the settings page of the plugin shows before the first shopper comes. */
export function answerHealth(desk: Desk): (call: Call) => Promise<CallAnswer> {
  const roundTrip = createRoundTrip(desk);

  return async function health(call) {
    const wish = schema.safeParse(call.body);
    if (!wish.success || (wish.data.amount === undefined) !== (wish.data.currency === undefined))
      return badRequest(call);
    const { store } = call;
    const { amount, currency, webhook } = wish.data;
    const [shop, service, arrived] = await Promise.all([
      shopHealth(call),
      serviceHealth(call),
      webhook === true ? webhookHealth(call, roundTrip) : null,
    ]);
    const body = {
      protocol: PROTOCOL,
      version: packageJson.version,
      time: Math.floor(desk.clock.now() / 1_000),
      store: store.config.id,
      environment: store.environment,
      currencies: store.config.currencies,
      decimals: Object.fromEntries(store.config.currencies.map((taken) => [taken, decimalsOf(taken)])),
      shop,
      service,
      amount: amount === undefined || currency === undefined ? null : amountHealth(call, amount, currency),
      webhook: arrived,
    };
    return { status: 200, body };
  };
}

type Checked = { readonly ok: boolean; readonly message: string };

async function shopHealth({ store, words }: Call): Promise<Checked & { readonly writes: string }> {
  const { shop } = store;
  const writes = store.adapter.writes.kind;
  try {
    await shop.rest.get("orders", { per_page: 1, _fields: "id" });
    const ping = shop.settleBy === "rest" ? null : await shop.plugin.call("ping", {});
    const byPlugin = ping?.say === "answered" && ping.status === 200;
    if (byPlugin) return { ok: true, message: words.shopByPlugin, writes };
    return shop.settleBy === "plugin"
      ? { ok: false, message: words.shopShut, writes }
      : { ok: true, message: words.shopByRest, writes };
  } catch (error) {
    return { ok: false, message: words.shopSilent(safeReason(error)), writes };
  }
}

async function serviceHealth({ desk, store, words }: Call): Promise<Checked> {
  const trouble = await examineService(desk.engine, store.config.id, store.environment);
  return trouble === null
    ? { ok: true, message: words.serviceWorks }
    : { ok: false, message: words.serviceSilent(trouble) };
}

async function webhookHealth(
  { desk, store, words }: Call,
  roundTrip: (store: StoreConfig) => Promise<string | null>,
): Promise<Checked & { readonly last: number | null }> {
  const [trouble, page] = await Promise.all([
    roundTrip(store.config),
    desk.ledger.listDeliveries({ outcome: "processed", limit: 50 }),
  ]);
  const last = page.rows.find(({ endpointId }) => endpointId === endpointOf(store.config));
  return {
    ok: trouble === null,
    message: trouble === null ? words.webhookArrived : words.webhookLost(trouble),
    last: last ? Math.floor(last.receivedAt / 1_000) : null,
  };
}

/** The very integer that would be sent for a real total of the shop, and what the hosted page has to make of it. */
function amountHealth({ desk, store, language, words }: Call, text: string, currency: string): object {
  if (!store.config.currencies.includes(currency)) {
    return { ok: false, message: words.currencyNotTaken(currency), wire: null, unit: null, shown: null };
  }
  const unit = desk.config.amountUnit;
  try {
    const amount = parseMoney(text, currency);
    const message = words.compare(formatMoney(amount, language));
    return { ok: true, message, wire: toWire(amount, unit), unit, shown: moneyAnswer(amount, language) };
  } catch {
    return { ok: false, message: words.amountInvalid, wire: null, unit, shown: null };
  }
}
