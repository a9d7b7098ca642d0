import { type CheckoutErrorCode, CURRENCY_DECIMALS, type Language } from "@tillkit/core";

const CURRENCIES = Object.keys(CURRENCY_DECIMALS).join(", ");

const english = {
  currencyNotTaken: `The payment service does not take {currency}, only ${CURRENCIES}. Choose another payment method.`,
  totalChanged: "The total of this cart has just changed. Reload the checkout page.",
  alreadyPaid: "This cart is already paid. Its order is being placed.",
  paymentHeld: "We have received a payment for this cart and are checking it. Please do not pay again.",
  notStarted: "The payment could not be started. Reload the checkout page.",
  sessionUnknown: "This payment session does not exist. Reload the checkout page.",
  pageNotAllowed: "return_url or cancel_url is not on one of the store's allowedReturnOrigins.",
  paidByOtherPayment: "This cart is already paid by another payment.",
  mismatch: "This payment does not match the cart. We are checking it: please do not pay again.",
  dataOfOtherPayment: "This session contains the data of another payment. Start the payment again.",
  noPayment: "This session has no Tillkit payment. Start the payment again.",
  notCompleted: "The service does not show this payment as completed, so it cannot be captured.",
  lookupFailed: "The payment could not be read. Try again in a moment.",
} as const;

/** An error that is shown in the language of the person who caused the request. */
export type ErrorKey = keyof typeof english;

const french: Readonly<Record<ErrorKey, string>> = {
  currencyNotTaken: `Le service de paiement n’accepte pas {currency}, seulement ${CURRENCIES}. Choisissez un autre moyen de paiement.`,
  totalChanged: "Le total de ce panier vient de changer. Rechargez la page de commande.",
  alreadyPaid: "Ce panier est déjà payé. Votre commande est en cours d’enregistrement.",
  paymentHeld: "Nous avons reçu un paiement pour ce panier et nous le vérifions. Ne payez pas une deuxième fois.",
  notStarted: "Le paiement n’a pas pu être lancé. Rechargez la page de commande.",
  sessionUnknown: "Cette session de paiement n’existe pas. Rechargez la page de commande.",
  pageNotAllowed: "return_url ou cancel_url ne fait pas partie des allowedReturnOrigins de la boutique.",
  paidByOtherPayment: "Ce panier a déjà été réglé par un autre paiement.",
  mismatch: "Ce paiement ne correspond pas au panier. Nous le vérifions : ne payez pas une deuxième fois.",
  dataOfOtherPayment: "Cette session contient les données d’un autre paiement. Recommencez le paiement.",
  noPayment: "Cette session ne correspond à aucun paiement Tillkit. Recommencez le paiement.",
  notCompleted: "Le service n’indique pas ce paiement comme terminé : il ne peut pas être encaissé.",
  lookupFailed: "Le paiement n’a pas pu être consulté. Réessayez dans un instant.",
};

/** French texts for the engine's most frequent errors, whose messages are English. */
const ENGINE_ERRORS_IN_FRENCH: Readonly<Partial<Record<CheckoutErrorCode, string>>> = {
  currency_not_supported: `Le service n’accepte que ${CURRENCIES}. Choisissez un autre moyen de paiement.`,
  amount_invalid: "Ce montant ne peut pas être payé. Rechargez la page de commande.",
  order_not_payable: "Ce panier ne peut plus être payé. Retournez à la boutique et recommencez.",
  session_refused:
    "Le service de paiement a refusé d’ouvrir une page de paiement. Choisissez un autre moyen de paiement.",
  service_unavailable: "Le service de paiement ne répond pas. Réessayez dans un instant.",
  ledger_busy: "Ce paiement est en cours de modification. Réessayez dans un instant.",
};

/** `values` replace the names in braces. */
export function errorText(key: ErrorKey, language: Language, values: ErrorValues = {}): string {
  const text: string = (language === "fr" ? french : english)[key];
  return text.replaceAll("{currency}", values.currency ?? "");
}

export type ErrorValues = { readonly currency?: string };

/** The engine's message in the reader's language, or in English when there is no translation. */
export function engineErrorText(code: string, englishMessage: string, language: Language): string {
  const texts: Readonly<Partial<Record<string, string>>> = ENGINE_ERRORS_IN_FRENCH;
  return (language === "fr" ? texts[code] : undefined) ?? englishMessage;
}
