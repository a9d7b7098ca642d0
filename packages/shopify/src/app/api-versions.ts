import { codeOf } from "@tillkit/core";
import { adminApiVersions } from "../graphql/admin-operations.ts";
import { paymentsApiVersions } from "../graphql/payments-operations.ts";
import { shopifyLimits } from "../limits.ts";
import type { Desk } from "./desk.ts";

const KIND = "shopify-versions";
const NO_STORE = "";

/** The smallest question that each of the two APIs answers. */
export function versionsOperation(mode: Desk["config"]["app"]["mode"]): typeof paymentsApiVersions {
  return mode === "offsite" ? paymentsApiVersions : adminApiVersions;
}

type Known = { readonly version: string; readonly supported: boolean };

/**
 * Asks a shop which versions of Shopify's API are supported: each lives for at least a year, and a payments app that speaks an
 * old one stops working. Warns in the log when that year is nearly over, and on every owner's page, too, when ours is none of
 * them any more.
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
      const yearEndsAt = endOfYear(version);
      if (!supported) log.error("shopify.version_not_supported", { version, next: NEXT });
      else if (yearEndsAt - desk.clock.now() < shopifyLimits.versionEndsSoonMs)
        log.warn("shopify.version_ends", {
          version,
          from: new Date(yearEndsAt).toISOString().slice(0, 10),
          next: NEXT,
        });
      const row = await ledger.records.get(NO_STORE, KIND, config.app.clientId);
      await ledger.records.put(NO_STORE, KIND, config.app.clientId, { version, supported }, row?.version ?? "new");
      return;
    } catch (error) {
      log.info("shopify.versions_not_read", { storeId: shop.domain, code: codeOf(error) });
    }
  }
}

const NEXT = "Set app.apiVersion to a newer one, and api_version in the toml files that are deployed.";

/** A version is named after the month in which it came out. Milliseconds since 1970. */
function endOfYear(version: string): number {
  const [year, month] = version.split("-").map(Number);
  return Date.UTC((year ?? 0) + 1, (month ?? 1) - 1);
}

/** Our version, when the last look said that Shopify does not support it; else null. */
export async function sunsetOf({ ledger, config }: Desk): Promise<string | null> {
  const row = await ledger.records.get(NO_STORE, KIND, config.app.clientId);
  const known = (row?.value ?? null) as Known | null;
  return known?.version === config.app.apiVersion && !known.supported ? known.version : null;
}
