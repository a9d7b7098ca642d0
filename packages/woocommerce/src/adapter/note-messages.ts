import type { Language } from "@tillkit/core";

/** The texts of order notes and refunds in the shop. */
export type NoteMessages = {
  readonly paid: (payment: string, transaction: string) => string;
  readonly accepted: (payment: string, transaction: string) => string;
  readonly held: (difference: string) => string;
  /** Follows `held` if the owner can accept the payment. */
  readonly howToAccept: string;
  readonly refundReason: string;
  readonly refundFailed: (amount: string) => string;
  readonly refundNotRecorded: (amount: string) => string;
  readonly refundOfTrashedOrder: (amount: string) => string;
  readonly otherPaymentRefunded: (amount: string) => string;
};

const english: NoteMessages = {
  paid: (payment, transaction) => `Paid with Tillkit. Payment ${payment}, transaction ${transaction}.`,
  accepted: (payment, transaction) =>
    `Tillkit payment ${payment}, transaction ${transaction}: accepted because you set the order to paid.`,
  held: (difference) =>
    `A payment arrived for this order, but it does not match. ${difference} Check it before you ship.`,
  howToAccept: "To accept the payment as it is, set the order to Processing or Completed. To reject it, refund it.",
  refundReason: "Refunded at the payment service",
  refundFailed: (amount) =>
    `The refund of ${amount} failed: the shopper did not get the money, even if this order shows a refund.`,
  refundNotRecorded: (amount) =>
    `${amount} were refunded at the payment service, but WooCommerce refused to record the refund. Check the refunds of this order.`,
  refundOfTrashedOrder: (amount) =>
    `${amount} were refunded at the payment service. The order is in the trash, so no refund is recorded on it.`,
  otherPaymentRefunded: (amount) =>
    `${amount} of another payment of this order were refunded. The order itself is unchanged.`,
};

const french: NoteMessages = {
  paid: (payment, transaction) => `Payée avec Tillkit. Paiement ${payment}, transaction ${transaction}.`,
  accepted: (payment, transaction) =>
    `Paiement Tillkit ${payment}, transaction ${transaction} : accepté, car vous avez marqué la commande comme payée.`,
  held: (difference) =>
    `Un paiement a été reçu pour cette commande, mais il ne correspond pas. ${difference} Vérifiez avant d’expédier.`,
  howToAccept:
    "Pour accepter le paiement tel quel, passez la commande à « En cours » ou « Terminée ». Pour le refuser, remboursez-le.",
  refundReason: "Remboursé auprès du service de paiement",
  refundFailed: (amount) =>
    `Le remboursement de ${amount} a échoué : le client n’a pas reçu l’argent, même si cette commande affiche un remboursement.`,
  refundNotRecorded: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement, mais WooCommerce a refusé d’enregistrer le remboursement. Vérifiez les remboursements de cette commande.`,
  refundOfTrashedOrder: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement. La commande est dans la corbeille : aucun remboursement n’y est enregistré.`,
  otherPaymentRefunded: (amount) =>
    `${amount} d’un autre paiement de cette commande ont été remboursés. La commande elle-même ne change pas.`,
};

export function noteMessages(language: Language): NoteMessages {
  return language === "fr" ? french : english;
}
