import type { AppContext } from "../app-context.ts";

/** The operators' pages, or the page of one payment; null where the configuration does not enable them. */
export function operatorsUrl({ config }: Pick<AppContext, "config">, paymentId?: string): string | null {
  if (config.operators === undefined) return null;
  const base = `${config.publicUrl}/operators`;
  return paymentId === undefined ? base : `${base}/payments/${encodeURIComponent(paymentId)}`;
}
