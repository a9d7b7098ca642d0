import { LanguageCode, PaymentMethodHandler, UserInputError } from "@vendure/core";
import { requireCheckout } from "./current-checkout.ts";
import { currentSettlement } from "./order/settlement.ts";
import { HANDLER_CODE } from "./payment-method.ts";
import { sendRefund } from "./refunds/send-refund.ts";
import { languageOf, pluginTexts } from "./texts.ts";

/** The handler of the payment method. Only the plugin's own settlement creates a payment, whatever a shopper sends to the Shop API. */
export const tillkitPaymentHandler: PaymentMethodHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [
    { languageCode: LanguageCode.en, value: pluginTexts("en").method },
    { languageCode: LanguageCode.fr, value: pluginTexts("fr").method },
  ],
  args: {},
  createPayment(context, order, amount) {
    const settlement = currentSettlement();
    if (settlement?.orderCode !== order.code || settlement.amount !== amount) {
      throw new UserInputError(pluginTexts(languageOf(context)).onlyByPlugin);
    }
    const { transactionId, metadata } = settlement;
    return { amount, state: "Settled", transactionId, metadata };
  },
  // `createPayment` creates settled payments, so no payment is left to settle.
  settlePayment: () => ({ success: false, errorMessage: pluginTexts("en").alreadyPaid }),
  cancelPayment(context) {
    throw new UserInputError(pluginTexts(languageOf(context)).notCancelable);
  },
  createRefund: (context, input, amount, order, payment) =>
    sendRefund(requireCheckout(), context, { input, amount, order, payment }),
});
