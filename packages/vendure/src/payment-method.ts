import { StoreError } from "@tillkit/core";
import type { PaymentMethod, RequestContext } from "@vendure/core";
import type { VendureServices } from "./vendure-services.ts";

/** The code of the handler that an owner chooses for a payment method. */
export const HANDLER_CODE = "tillkit";

/** The channel's enabled payment method that uses our handler. Null if the channel has no such payment method. */
export async function findPaymentMethod(
  { paymentMethods }: VendureServices,
  context: RequestContext,
): Promise<PaymentMethod | null> {
  const methods = await paymentMethods.getActivePaymentMethods(context);
  return methods.find(({ handler }) => handler.code === HANDLER_CODE) ?? null;
}

/** The error of a channel without an enabled payment method that uses our handler. Enabling the method ends the error. */
export function missingMethodError({ channel: { code } }: RequestContext): StoreError {
  const message = `The channel ${code} has no enabled payment method with the handler "${HANDLER_CODE}": create one in the dashboard.`;
  return new StoreError("unavailable", message);
}
