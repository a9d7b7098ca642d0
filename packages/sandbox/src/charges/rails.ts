import { merchantSettings } from "../payments/merchant-settings.ts";
import { codesOf, type Method, minimumOf } from "../payments/methods.ts";
import { type Currency, inApiUnit } from "../service/currencies.ts";
import { Refusal } from "../service/refusal.ts";
import type { Settings } from "../service/settings.ts";
import type { OrganizationRow } from "../storage/tables.ts";

/** @throws Refusal `service_unavailable` when the switch mutes this rail */
export function refuseMuted(rail: Method, { mute }: Settings): void {
  if (!mute.includes(rail)) return;
  throw new Refusal(
    "service_unavailable",
    `Direct charges by ${rail} are temporarily unavailable: use hosted checkout`,
  );
}

/** @throws Refusal `bad_request` when the merchant did not connect the provider of this rail */
export function refuseUnconnected(rail: Method, organization: OrganizationRow): void {
  const { provider_code } = codesOf[rail];
  if (merchantSettings(organization).providers.includes(provider_code)) return;
  throw new Refusal("bad_request", `The provider ${provider_code} is not connected: connect it to charge by ${rail}`);
}

/** @throws Refusal `amount_invalid` */
export function refuseBelowMinimum(rail: Method, amount: number, currency: Currency, settings: Settings): void {
  const minimum = inApiUnit(minimumOf(rail, currency), currency, settings.amountExponents);
  if (amount >= minimum) return;
  throw new Refusal("amount_invalid", `A charge by ${rail} needs at least ${minimum} in ${currency}`);
}
