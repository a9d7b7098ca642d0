import { explainFinding, type Finding, type Language } from "@tillkit/core";

/** What stands in the admin's bell and beside refunds. */
export type NoticeWords = {
  readonly heldTitle: string;
  readonly cartGone: string;
  readonly noteTitle: string;
  readonly refundNote: (refundId: string) => string;
  readonly refundFailed: (amount: string) => string;
  readonly refundNotRecorded: (amount: string) => string;
  readonly otherMoneyBack: (amount: string) => string;
};

const english: NoticeWords = {
  heldTitle: "A payment needs a look",
  cartGone:
    "The cart was changed or given up after the shopper had gone to pay: Medusa has nobody left who takes this payment.",
  noteTitle: "Payments",
  refundNote: (refundId) => `Given back at the payment service (${refundId})`,
  refundFailed: (amount) => `Giving back ${amount} failed: the money is still here, whatever Medusa shows.`,
  refundNotRecorded: (amount) =>
    `${amount} were given back at the payment service, and Medusa refused to write it down. Compare the refunds of this order.`,
  otherMoneyBack: (amount) => `${amount} that arrived without an order were given back. No order is changed by it.`,
};

const french: NoticeWords = {
  heldTitle: "Un paiement est à vérifier",
  cartGone:
    "Le panier a été modifié ou abandonné après le départ du client vers le paiement : plus personne dans Medusa ne prend ce paiement.",
  noteTitle: "Paiements",
  refundNote: (refundId) => `Remboursé auprès du service de paiement (${refundId})`,
  refundFailed: (amount) =>
    `Le remboursement de ${amount} a échoué : l’argent est toujours là, quoi que montre Medusa.`,
  refundNotRecorded: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement, et Medusa a refusé de l’enregistrer. Comparez les remboursements de cette commande.`,
  otherMoneyBack: (amount) => `${amount} arrivés sans commande ont été remboursés. Aucune commande ne change.`,
};

export function wordsOf(language: Language): NoticeWords {
  return language === "fr" ? french : english;
}

/** What differs, in one sentence. In Medusa it is a cart that goes away, long before there is an order. */
export function sentenceOf(finding: Finding, language: Language): string {
  return finding.code === "order_gone" ? wordsOf(language).cartGone : explainFinding(finding, language);
}
