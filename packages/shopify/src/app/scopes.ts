import type { ShopifyConfig } from "../config/config.ts";

type Mode = ShopifyConfig["app"]["mode"];

const SCOPES: Readonly<Record<Mode, readonly string[]>> = {
  offsite: ["write_payment_gateways", "write_payment_sessions"],
  order: ["read_orders", "write_orders"],
};

/** What the app asks the owner for. */
export function scopesOf(mode: Mode): readonly string[] {
  return SCOPES[mode];
}

/** Those that a grant lacks. Shopify leaves out what another scope includes: `write_orders` reads them too. */
export function missingScopes(mode: Mode, grant: string): readonly string[] {
  const granted = new Set(grant.split(","));
  return scopesOf(mode).filter((scope) => !granted.has(scope) && !granted.has(scope.replace(/^read_/, "write_")));
}
