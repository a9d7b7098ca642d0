import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { apiVersionsOperation } from "../operations/version-operations.ts";

const KIND = "shopify-versions";
const NO_STORE = "";
const ADVICE = "Set app.apiVersion to a newer version, and api_version in the deployed toml files.";

type CheckedVersion = { readonly version: string; readonly supported: boolean };

/**
 * Asks one shop which versions of its API Shopify supports. Shopify supports a version for at least a year. The log warns
 * before that year ends, and reports an error when our version is no longer supported.
 */
export async function checkApiVersion(context: AppContext): Promise<void> {
  const { config, graphql, ledger, log, clock, shops } = context;
  const { apiVersion: version, clientId, mode } = config.app;
  for await (const shop of shops.all()) {
    if (shop.uninstalledAt !== null || shop.reconnectReason !== null) continue;
    try {
      const versions = await graphql.call(shop.domain, apiVersionsOperation(mode), {});
      const supported = versions.some((one) => one.handle === version && one.supported);
      const endsAt = endOfSupport(version);
      if (!supported) log.error("shopify.api_version_unsupported", { version, advice: ADVICE });
      else if (endsAt - clock.now() < shopifyLimits.versionWarningMs) {
        log.warn("shopify.api_version_ends", { version, endsOn: dateOf(endsAt), advice: ADVICE });
      }
      const row = await ledger.records.get(NO_STORE, KIND, clientId);
      await ledger.records.put(NO_STORE, KIND, clientId, { version, supported }, row?.version ?? "new");
      return;
    } catch (error) {
      log.info("shopify.api_versions_not_read", { storeId: shop.domain, code: codeOf(error) });
    }
  }
}

/** One sentence for the operator when Shopify's support of our API version has ended, or ends within `versionWarningMs`. */
export async function apiVersionWarnings(context: AppContext): Promise<readonly string[]> {
  const { apiVersion: version } = context.config.app;
  if ((await unsupportedApiVersion(context)) !== null) {
    return [`Shopify no longer supports version ${version} of its API. ${ADVICE}`];
  }
  const endsAt = endOfSupport(version);
  if (endsAt - context.clock.now() >= shopifyLimits.versionWarningMs) return [];
  return [`Shopify supports version ${version} of its API until ${dateOf(endsAt)}. ${ADVICE}`];
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A year after the month that a version is named after. Milliseconds since 1970. */
function endOfSupport(version: string): number {
  const [year, month] = version.split("-").map(Number);
  return Date.UTC((year ?? 0) + 1, (month ?? 1) - 1);
}

/** Our API version when Shopify did not support it at the last check, else null. */
export async function unsupportedApiVersion({ ledger, config }: AppContext): Promise<string | null> {
  const row = await ledger.records.get(NO_STORE, KIND, config.app.clientId);
  const checked = (row?.value ?? null) as CheckedVersion | null;
  return checked?.version === config.app.apiVersion && !checked.supported ? checked.version : null;
}
