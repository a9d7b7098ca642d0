import { codeOf, safeReason, silentLog, systemClock, systemRandom } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { examineTransactions } from "@tillkit/runtime";
import { createAppContext } from "../app/create-context.ts";
import type { AppContext } from "../app-context.ts";
import type { ShopifyConfig } from "../config/config-schema.ts";
import { missingScopes } from "../config/scopes.ts";
import { apiVersionsOperation } from "../operations/version-operations.ts";
import type { Shop } from "../records/shops.ts";
import { ENVIRONMENTS, storedKeys } from "../shops/service-keys.ts";
import { SHOP_PAUSED } from "../texts/rejection-texts.ts";

/** The result of one check of a shop. `message`: one sentence that says what is right, or how to fix the problem. */
export type ShopDiagnosis = {
  readonly storeId: string;
  readonly check: "access" | "service-key" | "transactions" | "payment-method";
  readonly status: "ok" | "warning" | "error";
  readonly message: string;
};

type ShopCheck = Omit<ShopDiagnosis, "storeId">;

/** Checks every shop that has the app installed: whether Shopify answers the app, and what its owner has to do. */
export async function* examineShops(config: ShopifyConfig): AsyncGenerator<ShopDiagnosis> {
  const ledger = await openLedger(config.database, { secretKeys: config.secretKeys });
  const context = createAppContext(config, { ledger, log: silentLog, clock: systemClock, random: systemRandom }, null);
  try {
    for await (const shop of context.shops.all()) {
      if (shop.uninstalledAt !== null) continue;
      const checks = [
        await examineAccess(context, shop),
        await examineKeys(context, shop),
        await examineNaming(context, shop),
        examineMethod(config, shop),
      ];
      for (const check of checks) if (check !== null) yield { storeId: shop.domain, ...check };
    }
  } finally {
    await context.checkout.close();
    await ledger.close();
  }
}

async function examineAccess({ graphql, config }: AppContext, shop: Shop): Promise<ShopCheck> {
  const problem = (message: string): ShopCheck => ({ check: "access", status: "error", message });
  const { mode, apiVersion } = config.app;
  const scopes = missingScopes(mode, shop.scope);
  if (scopes.length > 0)
    return problem(`The app lacks ${scopes.join(" and ")}: the owner opens the app in the shop again.`);
  try {
    const versions = await graphql.call(shop.domain, apiVersionsOperation(mode), {});
    if (!versions.some(({ handle, supported }) => handle === apiVersion && supported))
      return problem(
        `Shopify does not support version ${apiVersion} of its API: set app.apiVersion to a newer version.`,
      );
  } catch (error) {
    return problem(
      ["reconnect", "owner"].includes(codeOf(error))
        ? "Shopify refuses the app's token: the owner opens the app in the shop again."
        : `Shopify does not answer correctly. ${safeReason(error)}`,
    );
  }
  if (shop.deniedOperation === null)
    return { check: "access", status: "ok", message: "Shopify answers the app and supports its version of the API." };
  return problem(
    `Shopify last denied ${shop.deniedOperation}: check the app's access to protected customer data, then save the settings again.`,
  );
}

async function examineKeys(context: AppContext, { domain, paused }: Shop): Promise<ShopCheck> {
  const { live, test } = await storedKeys(context, domain);
  const check = "service-key";
  if (!live && !test)
    return {
      check,
      status: "error",
      message: "The shop has no key of the service: the owner enters it in the settings.",
    };
  if (paused) return { check, status: "warning", message: SHOP_PAUSED };
  if (live) return { check, status: "ok", message: "The shop has a live key of the service." };
  return { check, status: "warning", message: "The shop has only a test key: it takes no real money." };
}

/** Whether the service names the transactions of the shop's key, of the live key where there is one. */
async function examineNaming({ engine, ...context }: AppContext, { domain }: Shop): Promise<ShopCheck | null> {
  const keys = await storedKeys(context, domain);
  const environment = ENVIRONMENTS.findLast((name) => keys[name]);
  if (environment === undefined) return null;
  const check = "transactions";
  try {
    const { id, account } = await engine.tenants.credentialFor(domain, environment);
    const service = await engine.tenants.service(id);
    return { check, ...(await examineTransactions(service, { account, now: engine.clock.now() })) };
  } catch (error) {
    return { check, status: "error", message: `The payment service does not answer correctly. ${safeReason(error)}` };
  }
}

function examineMethod({ app }: ShopifyConfig, { gatewayName }: Shop): ShopCheck | null {
  if (app.mode !== "order") return null;
  const check = "payment-method";
  return gatewayName === null
    ? { check, status: "error", message: "The owner has not named the manual payment method in the settings." }
    : { check, status: "ok", message: `Orders with the payment method "${gatewayName}" get a pay link.` };
}
