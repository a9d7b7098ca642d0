import { decimalsOf, safeReason } from "@tillkit/core";
import { z } from "zod";
import { closedSentence } from "../adapter/settle-by-plugin.ts";
import type { CompanionConfig, StoreConfig } from "../config/config.ts";
import { PROTOCOL, SIGNATURE_INVALID } from "../protocol/names.ts";
import type { PluginRoutes } from "../transport/plugin-routes.ts";
import type { Finding } from "./examine-companion.ts";

const schema = z.object({
  protocol: z.number(),
  plugin: z.string(),
  currency: z.string(),
  decimals: z.number(),
  gateway: z.boolean(),
  permalinks: z.boolean(),
  companion: z.string(),
});

type Ping = z.infer<typeof schema>;

/** What only the inside of the shop knows: the gateway's settings, the currency and its decimals. */
export async function examinePlugin(
  shop: { readonly plugin: Pick<PluginRoutes, "call"> },
  store: StoreConfig,
  { publicUrl }: CompanionConfig,
): Promise<readonly Finding[]> {
  try {
    const reply = await shop.plugin.call("ping", {});
    if (reply.say === "closed") return [closed(store, reply.code)];
    const ping = schema.safeParse(reply.body);
    if (!ping.success) return [about("plugin", "mistake", "The plugin answers in a form of its own: update it.")];
    return [pluginFinding(ping.data, publicUrl), moneyFinding(ping.data, store)];
  } catch (error) {
    return [about("plugin", "mistake", `The plugin does not answer. ${safeReason(error)}`)];
  }
}

function closed({ settleBy }: StoreConfig, code: string | null): Finding {
  const text = closedSentence(code);
  if (settleBy === "plugin") return about("plugin", "mistake", text);
  const still = "Until then orders are marked paid by the shop's REST API, two minutes later after a lost answer.";
  return about("plugin", code === SIGNATURE_INVALID ? "mistake" : "warning", `${text} ${still}`);
}

function pluginFinding({ protocol, plugin, gateway, permalinks, companion }: Ping, publicUrl: string): Finding {
  if (protocol !== PROTOCOL)
    return about("plugin", "mistake", `The plugin ${plugin} speaks another protocol: update it.`);
  if (companion.replace(/\/+$/, "") !== publicUrl) {
    return about(
      "plugin",
      "mistake",
      "The plugin sends shoppers to another address: set its companion URL to publicUrl.",
    );
  }
  if (!permalinks) return about("plugin", "mistake", "Choose pretty permalinks: Settings, Permalinks, Post name.");
  if (!gateway) {
    return about(
      "plugin",
      "warning",
      "The gateway is switched off: shoppers do not see it (WooCommerce, Settings, Payments).",
    );
  }
  return about("plugin", "well", `The plugin ${plugin} answers, and marks orders paid under a lock.`);
}

function moneyFinding({ currency, decimals }: Ping, { currencies }: StoreConfig): Finding {
  if (!currencies.includes(currency)) {
    return about("money", "mistake", `The shop sells in ${currency}, which is not among its currencies here: add it.`);
  }
  const needed = decimalsOf(currency);
  if (decimals < needed) {
    const text = `${currency} has ${needed} decimals and the shop rounds to ${decimals}: set ${needed} under WooCommerce, Settings, General.`;
    return about("money", "mistake", text);
  }
  if (decimals > needed) {
    const text = `${currency} has ${needed} decimals and the shop shows ${decimals}: an order of half a ${currency} could not be paid. Set ${needed} under WooCommerce, Settings, General.`;
    return about("money", "warning", text);
  }
  return about("money", "well", `The shop sells in ${currency} with ${decimals} decimals.`);
}

function about(what: Finding["about"], say: Finding["say"], text: string): Finding {
  return { about: what, say, text };
}
