import { StoreError } from "@tillkit/core";
import type { PaymentMethod, RequestContext } from "@vendure/core";
import type { VendureServices } from "./vendure-services.ts";

/** The code of the handler that an owner chooses for a payment method. */
export const HANDLER_CODE = "tillkit";

/**
 * The channel's payment method that uses our handler.
 * @throws StoreError `unavailable` when the channel has no such payment method
 */
export async function findPaymentMethod(
  { paymentMethods }: VendureServices,
  context: RequestContext,
): Promise<PaymentMethod> {
  const found = (await paymentMethods.getActivePaymentMethods(context)).find(
    ({ handler }) => handler.code === HANDLER_CODE,
  );
  if (found) return found;
  const { code } = context.channel;
  const message = `The channel ${code} has no enabled payment method with the handler "${HANDLER_CODE}": create one in the dashboard.`;
  throw new StoreError("unavailable", message);
}
