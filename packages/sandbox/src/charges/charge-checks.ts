import { ApiError } from "../domain/api-error.ts";
import { type Currency, toWireAmount } from "../domain/currencies.ts";
import { methodCodes, minimumCharge, type PaymentMethod } from "../domain/payment-methods.ts";
import type { Settings } from "../domain/settings.ts";
import { readMerchantSettings } from "../organizations/merchant-settings.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";

/** @throws ApiError `service_unavailable` when the setting `mute` lists this rail */
export function assertNotMuted(rail: PaymentMethod, { mute }: Settings): void {
  if (!mute.includes(rail)) return;
  throw new ApiError(
    "service_unavailable",
    `Direct charges by ${rail} are temporarily unavailable: use hosted checkout`,
  );
}

/** @throws ApiError `bad_request` when the merchant did not connect the provider of this rail */
export function assertProviderConnected(rail: PaymentMethod, organization: OrganizationRow): void {
  const { provider_code } = methodCodes[rail];
  if (readMerchantSettings(organization).providers.includes(provider_code)) return;
  throw new ApiError("bad_request", `The provider ${provider_code} is not connected: connect it to charge by ${rail}`);
}

/** @throws ApiError `amount_invalid` */
export function assertMinimumAmount(rail: PaymentMethod, amount: number, currency: Currency, settings: Settings): void {
  const minimum = toWireAmount(minimumCharge(rail, currency), currency, settings.amountExponents);
  if (amount >= minimum) return;
  throw new ApiError("amount_invalid", `A charge by ${rail} needs at least ${minimum} in ${currency}`);
}
