import type { Language } from "@tillkit/core";

/** Why the app rejects a payment, refund, capture or void. Shopify shows the text to the owner of the shop. */
export type RejectionReason =
  | "payment_expired"
  | "authorization_not_supported"
  | "payment_not_found"
  | "refund_failed"
  | "refund_too_large"
  | "refund_not_possible"
  | "refund_key_reused"
  | "decision_needed"
  | "amount_invalid"
  | "currency_not_supported";

const ENGLISH: Readonly<Record<RejectionReason, string>> = {
  payment_expired: "No payment arrived in time.",
  authorization_not_supported: "Payments are taken immediately: there is no authorization to capture or void.",
  payment_not_found: "This app has no payment with this amount in this mode (test or live). Nothing was refunded.",
  refund_failed: "The payment service could not make this refund.",
  refund_too_large: "The amount is larger than the amount that can still be refunded.",
  refund_not_possible: "This payment cannot be refunded.",
  refund_key_reused: "This refund was requested before with another amount.",
  decision_needed: "Nothing was refunded: a person must decide about this payment first.",
  amount_invalid: "The payment service cannot refund exactly this amount.",
  currency_not_supported: "The payment service does not accept this currency.",
};

const FRENCH: Readonly<Record<RejectionReason, string>> = {
  payment_expired: "Aucun paiement n’a été reçu dans le délai prévu.",
  authorization_not_supported:
    "Les paiements sont encaissés immédiatement : il n’y a pas d’autorisation à capturer ou à annuler.",
  payment_not_found:
    "Cette application n’a aucun paiement de ce montant dans ce mode (test ou réel). Rien n’a été remboursé.",
  refund_failed: "Le service de paiement n’a pas pu effectuer ce remboursement.",
  refund_too_large: "Le montant dépasse ce qui peut encore être remboursé.",
  refund_not_possible: "Ce paiement ne peut pas être remboursé.",
  refund_key_reused: "Ce remboursement a déjà été demandé avec un autre montant.",
  decision_needed: "Rien n’a été remboursé : une personne doit d’abord décider de ce paiement.",
  amount_invalid: "Le service de paiement ne peut pas rembourser exactement ce montant.",
  currency_not_supported: "Le service de paiement n’accepte pas cette devise.",
};

export function rejectionText(reason: RejectionReason, language: Language): string {
  return language === "fr" ? FRENCH[reason] : ENGLISH[reason];
}

/** Whether the engine refuses the refund with this error code at every further attempt. */
export function isFinalRefundError(code: string): code is RejectionReason {
  return FINAL_REFUND_ERRORS.has(code);
}

const FINAL_REFUND_ERRORS: ReadonlySet<string> = new Set<RejectionReason>([
  "refund_too_large",
  "refund_not_possible",
  "refund_key_reused",
  "amount_invalid",
  "currency_not_supported",
]);
