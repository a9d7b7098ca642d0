import type { AppMode } from "./config-schema.ts";

const SCOPES: Readonly<Record<AppMode, readonly string[]>> = {
  offsite: ["write_payment_gateways", "write_payment_sessions"],
  order: ["read_orders", "write_orders"],
};

/** The access scopes that the app requests from the owner. */
export function scopesOf(mode: AppMode): readonly string[] {
  return SCOPES[mode];
}

/** The requested scopes that were not granted. Shopify omits `read_orders` where it grants `write_orders`, which includes it. */
export function missingScopes(mode: AppMode, grantedScopes: string): readonly string[] {
  const granted = new Set(grantedScopes.split(","));
  return scopesOf(mode).filter((scope) => !granted.has(scope) && !granted.has(scope.replace(/^read_/, "write_")));
}
