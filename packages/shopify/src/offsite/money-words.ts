import type { Language } from "@tillkit/core";

/** Why a payment, refund, capture or void is rejected: Shopify shows it to the shop's owner. */
export type MoneyRefusal =
  | "no_payment"
  | "no_authorization"
  | "not_known"
  | "service_failed"
  | "refund_too_large"
  | "refund_not_possible"
  | "refund_key_reused"
  | "amount_invalid"
  | "currency_not_supported";

const ENGLISH: Readonly<Record<MoneyRefusal, string>> = {
  no_payment: "No payment arrived within the time for it.",
  no_authorization: "Payments are taken at once: there is no authorization to capture or void.",
  not_known: "This app knows no paid payment of this amount and mode: nothing was refunded.",
  service_failed: "The payment service could not give the money back.",
  refund_too_large: "More than what is left of this payment cannot be refunded.",
  refund_not_possible: "Nothing of this payment can be refunded.",
  refund_key_reused: "This refund was asked for before, with another amount.",
  amount_invalid: "The payment service cannot refund this exact amount.",
  currency_not_supported: "The payment service does not take this currency.",
};

const FRENCH: Readonly<Record<MoneyRefusal, string>> = {
  no_payment: "Aucun paiement n’est arrivé dans le délai.",
  no_authorization: "Les paiements sont encaissés tout de suite : il n’y a pas d’autorisation à capturer ni à annuler.",
  not_known:
    "Cette application ne connaît aucun paiement encaissé de ce montant dans ce mode : rien n’a été remboursé.",
  service_failed: "Le service de paiement n’a pas pu effectuer ce remboursement.",
  refund_too_large: "Le montant dépasse ce qui reste à rembourser sur ce paiement.",
  refund_not_possible: "Rien ne peut être remboursé sur ce paiement.",
  refund_key_reused: "Ce remboursement a déjà été demandé, avec un autre montant.",
  amount_invalid: "Le service de paiement ne peut pas rembourser exactement ce montant.",
  currency_not_supported: "Le service de paiement n’accepte pas cette devise.",
};

export function moneyWords(refusal: MoneyRefusal, language: Language): string {
  return language === "fr" ? FRENCH[refusal] : ENGLISH[refusal];
}

export function isFinalRefusal(code: string): code is MoneyRefusal {
  return FINAL.has(code);
}

/** Codes of the engine after which asking again does not help. */
const FINAL: ReadonlySet<string> = new Set<MoneyRefusal>([
  "refund_too_large",
  "refund_not_possible",
  "refund_key_reused",
  "amount_invalid",
  "currency_not_supported",
]);
