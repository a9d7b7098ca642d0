import type { Language } from "@tillkit/core";

/** What stands in notes and refunds of the shop. */
export type WooWords = {
  readonly paid: (payment: string, transaction: string) => string;
  readonly accepted: (payment: string, transaction: string) => string;
  readonly hold: (difference: string) => string;
  /** After the words of a hold, where the owner's word is enough to accept the money. */
  readonly toAccept: string;
  readonly refundReason: string;
  readonly refundFailed: (amount: string) => string;
  readonly refundNotRecorded: (amount: string) => string;
  readonly refundOfBinned: (amount: string) => string;
  readonly otherMoneyBack: (amount: string) => string;
};

const english: WooWords = {
  paid: (payment, transaction) => `Paid with Tillkit. Payment ${payment}, transaction ${transaction}.`,
  accepted: (payment, transaction) =>
    `Tillkit payment ${payment}, transaction ${transaction}: accepted as you set the order to paid.`,
  hold: (difference) => `Money arrived for this order, with a difference. ${difference} Look before you ship.`,
  toAccept: "To accept the money as it is, set the order to Processing or Completed; to refuse it, give it back.",
  refundReason: "Given back at the payment service",
  refundFailed: (amount) => `Giving back ${amount} failed: the money is still here, whatever this order shows.`,
  refundNotRecorded: (amount) =>
    `${amount} were given back at the payment service; WooCommerce refused to record it. Compare the refunds of this order.`,
  refundOfBinned: (amount) =>
    `${amount} were given back at the payment service. The order is in the trash, so no refund is recorded on it.`,
  otherMoneyBack: (amount) =>
    `${amount} of another payment of this order were given back. The order itself is unchanged.`,
};

const french: WooWords = {
  paid: (payment, transaction) => `Payée avec Tillkit. Paiement ${payment}, transaction ${transaction}.`,
  accepted: (payment, transaction) =>
    `Paiement Tillkit ${payment}, transaction ${transaction} : accepté, car vous avez marqué la commande comme payée.`,
  hold: (difference) =>
    `De l’argent est arrivé pour cette commande, avec une différence. ${difference} Vérifiez avant d’expédier.`,
  toAccept:
    "Pour accepter l’argent tel quel, passez la commande à « En cours » ou « Terminée » ; pour le refuser, remboursez-le.",
  refundReason: "Remboursé auprès du service de paiement",
  refundFailed: (amount) =>
    `Le remboursement de ${amount} a échoué : l’argent est toujours là, quoi que montre cette commande.`,
  refundNotRecorded: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement ; WooCommerce a refusé de l’enregistrer. Comparez les remboursements de cette commande.`,
  refundOfBinned: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement. La commande est dans la corbeille : aucun remboursement n’y est enregistré.`,
  otherMoneyBack: (amount) =>
    `${amount} d’un autre paiement de cette commande ont été remboursés. La commande elle-même ne change pas.`,
};

export function wordsOf(language: Language): WooWords {
  return language === "fr" ? french : english;
}
