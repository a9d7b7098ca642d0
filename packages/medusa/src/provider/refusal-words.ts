import { type CheckoutErrorCode, CURRENCY_DECIMALS, type Language } from "@tillkit/core";

const CURRENCIES = Object.keys(CURRENCY_DECIMALS).join(", ");

const english = {
  totalChanged: "This cart's total has just changed: load the checkout again.",
  paidAlready: "This cart is paid already: its order is being placed.",
  heldAlready: "A payment for this cart has arrived and the shop is looking at it: please do not pay again.",
  notBegun: "The payment could not be begun: load the checkout again.",
  sessionUnknown: "This payment session is not known: load the checkout again.",
  pageNotAllowed: "return_url or cancel_url is not on one of the allowedReturnOrigins of this shop.",
  paidByAnother: "This cart was paid by another payment already.",
  doesNotFit: "This payment does not fit the cart, and the shop is looking at it: please do not pay again.",
  dataOfAnother: "This session holds the data of another payment: begin the payment again.",
  noPayment: "This session belongs to no payment of Tillkit: begin the payment again.",
  notCompleted: "The service does not show this payment as completed: nothing can be captured.",
  refundUnderWay: "The same refund is under way already: look at the order again in a moment.",
  refundRefused: "The service refused this refund: the money is still here.",
  refundUnknown:
    "The service did not answer, so nobody knows yet whether the money went back. Try again in a moment: it is not sent twice.",
  refundRepeated:
    "The same amount was given back a moment ago. If you want to give it back once more, wait a few seconds and ask again.",
  paysAnOrder: "Only money that pays no order is given back here: refund an order on the order's own page.",
  notLookedUp: "The payment could not be looked up: try again in a moment.",
} as const;

/** What can be refused, and is said in the language of whoever asked. */
export type RefusalKey = keyof typeof english;

const french: Readonly<Record<RefusalKey, string>> = {
  totalChanged: "Le total de ce panier vient de changer : rechargez la page de commande.",
  paidAlready: "Ce panier est déjà payé : sa commande est en cours d’enregistrement.",
  heldAlready: "Un paiement est arrivé pour ce panier et la boutique le vérifie : ne payez pas une deuxième fois.",
  notBegun: "Le paiement n’a pas pu commencer : rechargez la page de commande.",
  sessionUnknown: "Cette session de paiement est inconnue : rechargez la page de commande.",
  pageNotAllowed: "return_url ou cancel_url ne fait pas partie des allowedReturnOrigins de cette boutique.",
  paidByAnother: "Ce panier a déjà été payé par un autre paiement.",
  doesNotFit: "Ce paiement ne correspond pas au panier et la boutique le vérifie : ne payez pas une deuxième fois.",
  dataOfAnother: "Cette session porte les données d’un autre paiement : recommencez le paiement.",
  noPayment: "Cette session ne correspond à aucun paiement de Tillkit : recommencez le paiement.",
  notCompleted: "Le service ne montre pas ce paiement comme terminé : rien ne peut être encaissé.",
  refundUnderWay: "Le même remboursement est déjà en cours : revenez à la commande dans un instant.",
  refundRefused: "Le service a refusé ce remboursement : l’argent est toujours là.",
  refundUnknown:
    "Le service n’a pas répondu : on ne sait pas encore si l’argent est reparti. Réessayez dans un instant, rien ne sera envoyé deux fois.",
  refundRepeated:
    "Le même montant vient d’être remboursé. Pour le rembourser encore une fois, attendez quelques secondes et recommencez.",
  paysAnOrder:
    "Ici, on ne rend que l’argent qui ne paie aucune commande : remboursez une commande depuis sa propre page.",
  notLookedUp: "Le paiement n’a pas pu être consulté : réessayez dans un instant.",
};

/** The engine speaks English; this is what it says most often. */
const ENGINE_IN_FRENCH: Readonly<Partial<Record<CheckoutErrorCode, string>>> = {
  currency_not_supported: `Le service n’accepte que ${CURRENCIES} : choisissez un autre moyen de paiement.`,
  amount_invalid: "Ce montant ne peut pas être payé tel quel : rechargez la page de commande.",
  order_not_payable: "Ce panier ne peut plus être payé : retournez à la boutique et recommencez.",
  session_refused: "Le service a refusé d’ouvrir une page de paiement : choisissez un autre moyen de paiement.",
  service_unavailable: "Le service de paiement ne répond pas : réessayez dans un instant.",
  ledger_busy: "Ce paiement est en cours de modification ailleurs : réessayez dans un instant.",
  refund_not_possible: "Rien ne peut être remboursé : aucun argent n’est arrivé, ou tout est déjà reparti.",
  refund_too_large: "Ce remboursement dépasse ce qui reste de ce paiement.",
  refund_in_doubt: "Un remboursement de ce paiement est encore sans réponse : réessayez dans un instant.",
  review_not_acceptable: "Seule une différence de montant peut être acceptée : rendez l’argent.",
};

export function refusalText(key: RefusalKey, language: Language): string {
  return (language === "fr" ? french : english)[key];
}

/** What the engine said, in the reader's language where there are words for it. */
export function engineText(code: string, english: string, language: Language): string {
  const words: Readonly<Partial<Record<string, string>>> = ENGINE_IN_FRENCH;
  return (language === "fr" ? words[code] : undefined) ?? english;
}
