import { type Method, minimumOf } from "../payments/methods.ts";
import { type Currency, inApiUnit } from "../service/currencies.ts";
import { Refusal } from "../service/refusal.ts";
import type { Settings } from "../service/settings.ts";

/** @throws Refusal `service_unavailable` when the switch mutes this rail */
export function refuseMuted(rail: Method, { mute }: Settings): void {
  if (!mute.includes(rail)) return;
  throw new Refusal(
    "service_unavailable",
    `Direct charges by ${rail} are temporarily unavailable: use hosted checkout`,
  );
}

/** @throws Refusal `amount_invalid` */
export function refuseBelowMinimum(rail: Method, amount: number, currency: Currency, settings: Settings): void {
  const minimum = inApiUnit(minimumOf(rail, currency), currency, settings.amountExponents);
  if (amount >= minimum) return;
  throw new Refusal("amount_invalid", `A charge by ${rail} needs at least ${minimum} in ${currency}`);
}
