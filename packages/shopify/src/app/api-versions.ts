import { codeOf } from "@tillkit/core";
import { adminApiVersions } from "../graphql/admin-operations.ts";
import { paymentsApiVersions } from "../graphql/payments-operations.ts";
import type { Desk } from "./desk.ts";

const KIND = "shopify-versions";
const NO_STORE = "";

/** The smallest question that each of the two APIs answers. */
export function versionsOperation(mode: Desk["config"]["app"]["mode"]): typeof paymentsApiVersions {
  return mode === "offsite" ? paymentsApiVersions : adminApiVersions;
}

type Known = { readonly version: string; readonly supported: boolean };

/**
 * Asks a shop which versions of Shopify's API are supported: each lives for about a year, and a payments app that speaks an
 * old one stops working. Warns in the log, and on every owner's page, when ours is none of them.
 */
export async function checkApiVersion(desk: Desk): Promise<void> {
  const { config, graphql, ledger, log } = desk;
  const version = config.app.apiVersion;
  const operation = versionsOperation(config.app.mode);
  for await (const shop of desk.shops.all()) {
    if (shop.uninstalledAt !== null || shop.trouble !== null) continue;
    try {
      const versions = await graphql.call(shop.domain, operation, {});
      const supported = versions.some((one) => one.handle === version && one.supported);
      if (!supported)
        log.error("shopify.version_not_supported", { version, next: "Set app.apiVersion to a newer one." });
      const row = await ledger.records.get(NO_STORE, KIND, config.app.clientId);
      await ledger.records.put(NO_STORE, KIND, config.app.clientId, { version, supported }, row?.version ?? "new");
      return;
    } catch (error) {
      log.info("shopify.versions_not_read", { storeId: shop.domain, code: codeOf(error) });
    }
  }
}

/** Our version, when the last look said that Shopify does not support it; else null. */
export async function sunsetOf({ ledger, config }: Desk): Promise<string | null> {
  const row = await ledger.records.get(NO_STORE, KIND, config.app.clientId);
  const known = (row?.value ?? null) as Known | null;
  return known?.version === config.app.apiVersion && !known.supported ? known.version : null;
}
