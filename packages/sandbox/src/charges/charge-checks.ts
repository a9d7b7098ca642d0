import { ApiError } from "../domain/api-error.ts";
import { type Currency, toWireAmount } from "../domain/currencies.ts";
import { methodCodes, minimumCharge, type PaymentMethod } from "../domain/payment-methods.ts";
import type { Settings } from "../domain/settings.ts";
import { readMerchantSettings } from "../organizations/merchant-settings.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";

/** @throws ApiError `service_unavailable` when the setting `mute` lists the method, which then accepts no charges */
export function assertMethodNotMuted(method: PaymentMethod, { mute }: Settings): void {
  if (!mute.includes(method)) return;
  throw new ApiError(
    "service_unavailable",
    `Direct charges by ${method} are temporarily unavailable: use hosted checkout`,
  );
}

/** @throws ApiError `bad_request` when the merchant did not connect the provider of the method */
export function assertProviderConnected(method: PaymentMethod, organization: OrganizationRow): void {
  const { provider_code } = methodCodes[method];
  if (readMerchantSettings(organization).providers.includes(provider_code)) return;
  throw new ApiError(
    "bad_request",
    `The provider ${provider_code} is not connected: connect it to charge by ${method}`,
  );
}

/**
 * @param wireAmount in the unit of the API, which the setting `amountExponents` defines
 * @throws ApiError `amount_invalid`
 */
export function assertMinimumAmount(
  method: PaymentMethod,
  wireAmount: number,
  currency: Currency,
  settings: Settings,
): void {
  const minimum = toWireAmount(minimumCharge(method, currency), currency, settings.amountExponents);
  if (wireAmount >= minimum) return;
  throw new ApiError("amount_invalid", `A charge by ${method} needs at least ${minimum} in ${currency}`);
}
