import { decimalsOf, safeReason } from "@tillkit/core";
import type { CheckResult } from "@tillkit/php-bridge";
import { type PluginRoutes, PROTOCOL, SIGNATURE_INVALID } from "@tillkit/php-bridge";
import { z } from "zod";
import type { StoreConfig, WooCommerceConfig } from "../config/schema.ts";

/** What is shown on a terminal is bounded, because a shop of a stranger may answer anything. */
const pingSchema = z.object({
  protocol: z.number(),
  plugin: z.string().regex(/^[\w.+-]{1,40}$/),
  currency: z.string().regex(/^\w{1,10}$/),
  decimals: z.number(),
  enabled: z.boolean(),
  checkout_server: z.string(),
});

type Ping = z.infer<typeof pingSchema>;

/** Checks the settings that only the plugin can read: the gateway, the currency and its decimals. */
export async function examinePlugin(
  plugin: Pick<PluginRoutes, "call">,
  store: StoreConfig,
  { publicUrl }: WooCommerceConfig,
): Promise<readonly CheckResult[]> {
  try {
    const reply = await plugin.call("ping", {});
    if (reply.kind === "unreachable") return [unreachableResult(store, reply)];
    const ping = pingSchema.safeParse(reply.body);
    if (!ping.success) return [result("plugin", "error", "The plugin answers in an unknown format: update it.")];
    return [examineSettings(ping.data, publicUrl), examineCurrency(ping.data, store)];
  } catch (error) {
    return [result("plugin", "error", `The plugin does not answer. ${safeReason(error)}`)];
  }
}

function unreachableResult(
  { writeOrdersBy }: StoreConfig,
  { code, message }: { readonly code: string | null; readonly message: string },
): CheckResult {
  if (writeOrdersBy === "plugin") return result("plugin", "error", message);
  const fallback =
    "Until then orders are marked paid by the shop's REST API; after a lost answer the next write waits two minutes.";
  return result("plugin", code === SIGNATURE_INVALID ? "error" : "warning", `${message} ${fallback}`);
}

function examineSettings(
  { protocol, plugin, enabled, checkout_server: checkoutServer }: Ping,
  publicUrl: string,
): CheckResult {
  if (protocol !== PROTOCOL)
    return result("plugin", "error", `The plugin ${plugin} has another protocol version: update it.`);
  if (checkoutServer.replace(/\/+$/, "") !== publicUrl) {
    return result(
      "plugin",
      "error",
      "The plugin sends shoppers to another address: set its checkout server address to publicUrl.",
    );
  }
  if (!enabled) {
    return result(
      "plugin",
      "warning",
      "The payment method is disabled: shoppers do not see it (WooCommerce, Settings, Payments).",
    );
  }
  return result("plugin", "ok", `The plugin ${plugin} answers, and locks an order while it marks it as paid.`);
}

function examineCurrency({ currency, decimals }: Ping, { currencies }: StoreConfig): CheckResult {
  if (!currencies.includes(currency)) {
    return result(
      "currency",
      "error",
      `The shop sells in ${currency}, which is not among its currencies in the configuration: add it, or connect the shop again.`,
    );
  }
  const required = decimalsOf(currency);
  if (decimals < required) {
    const message = `${currency} has ${required} decimals and the shop rounds to ${decimals}: set ${required} under WooCommerce, Settings, General.`;
    return result("currency", "error", message);
  }
  if (decimals > required) {
    const message = `${currency} has ${required} decimals and the shop shows ${decimals}: an order with a fraction of a ${currency} could not be paid. Set ${required} under WooCommerce, Settings, General.`;
    return result("currency", "warning", message);
  }
  return result("currency", "ok", `The shop sells in ${currency} with ${decimals} decimals.`);
}

function result(check: CheckResult["check"], status: CheckResult["status"], message: string): CheckResult {
  return { check, status, message };
}
