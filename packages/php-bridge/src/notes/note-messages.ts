import type { Language } from "@tillkit/core";
import type { PlatformWords } from "../platform.ts";

/** The texts of order notes and refunds in the shop. */
export type NoteMessages = {
  /** `paidWith`: how the shopper paid, such as "Wave"; null where nobody knows. */
  readonly paid: (payment: string, transaction: string, paidWith: string | null) => string;
  readonly accepted: (payment: string, transaction: string) => string;
  /** Follows `paid` if the shop did not answer: nobody knows what it did after the payment. */
  readonly unanswered: string;
  readonly held: (difference: string) => string;
  /** What the pay link says and what the order asks: `12 EUR`, `12.34 EUR`. */
  readonly linkRefused: (linked: string, asked: string) => string;
  /** Follows `held` if the owner can accept the payment. */
  readonly howToAccept: string;
  readonly refundReason: string;
  readonly refundRecorded: (amount: string) => string;
  /** The owner accepted less than the order's total. `by`: null where nobody is known. */
  readonly shortfall: (amounts: Readonly<Record<"paid" | "total" | "missing", string>>, by: string | null) => string;
  readonly refundFailed: (amount: string) => string;
  readonly refundNotRecorded: (amount: string) => string;
  readonly refundOfTrashedOrder: (amount: string) => string;
  /** The order stays paid by another payment. */
  readonly secondPaymentRefunded: (amount: string) => string;
  /** The order is on hold because of the payment that was refunded. */
  readonly heldPaymentRefunded: (amount: string) => string;
  /** The order has any other unpaid status. */
  readonly unpaidOrderRefunded: (amount: string) => string;
};

const english = (words: PlatformWords): NoteMessages => ({
  paid: (payment, transaction, paidWith) =>
    `Paid with Tillkit${paidWith === null ? "" : ` (${paidWith})`}. Payment ${payment}, transaction ${transaction}.`,
  accepted: (payment, transaction) =>
    `Tillkit payment ${payment}, transaction ${transaction}: accepted because you set the order to paid.`,
  unanswered:
    "The shop did not answer while the order was set to paid. Check its stock and whether you and the customer got the e-mails.",
  linkRefused: (linked, asked) =>
    `A customer could not pay: the payment link was made for ${linked}, and the order asks ${asked}. If this comes again for new links, ${words.aPlugin} changes totals or currencies between the checkout and the payment.`,
  held: (difference) =>
    `A payment arrived for this order, but it does not match. ${difference} Check it before you ship.`,
  howToAccept: `Decide in the box “Tillkit payment” of this order. You can also accept the payment by setting the order to ${words.paidStatus}.`,
  refundReason: "Refunded at the payment service",
  refundRecorded: (amount) => `${amount} were refunded at the payment service, and the refund was recorded here.`,
  shortfall: ({ paid, total, missing }, by) =>
    `${paid} arrived for this order of ${total}: ${missing} are missing. ${by === null ? "This was accepted." : `Accepted by ${by}.`}`,
  refundFailed: (amount) =>
    `The refund of ${amount} failed: the shopper did not get the money, even if this order shows a refund.`,
  refundNotRecorded: (amount) =>
    `${amount} were refunded at the payment service, but ${words.name} refused to record the refund. Check the refunds of this order.`,
  refundOfTrashedOrder: (amount) =>
    `${amount} were refunded at the payment service. The order is in the trash, so no refund is recorded on it.`,
  secondPaymentRefunded: (amount) => `${amount} of a second payment were refunded. The order stays paid.`,
  heldPaymentRefunded: (amount) =>
    `${amount} of the payment that did not match were refunded. The order is not paid. If no other payment waits for your decision, cancel it, or set it to ${words.unpaidStatus} so that the customer can pay again.`,
  unpaidOrderRefunded: (amount) =>
    `A payment arrived for this order, and ${amount} of it were refunded. The order is not paid.`,
});

const french = (words: PlatformWords): NoteMessages => ({
  paid: (payment, transaction, paidWith) =>
    `Payée avec Tillkit${paidWith === null ? "" : ` (${paidWith})`}. Paiement ${payment}, transaction ${transaction}.`,
  accepted: (payment, transaction) =>
    `Paiement Tillkit ${payment}, transaction ${transaction} : accepté, car vous avez marqué la commande comme payée.`,
  unanswered:
    "La boutique n’a pas répondu pendant que la commande passait en payée. Vérifiez son stock et si vous et le client avez reçu les e-mails.",
  linkRefused: (linked, asked) =>
    `Un client n’a pas pu payer : le lien de paiement était de ${linked}, et la commande demande ${asked}. Si cela se répète avec de nouveaux liens, ${words.aPlugin} change les totaux ou les devises entre la commande et le paiement.`,
  held: (difference) =>
    `Un paiement a été reçu pour cette commande, mais il ne correspond pas. ${difference} Vérifiez avant d’expédier.`,
  howToAccept: `Décidez dans l’encadré « Paiement Tillkit » de cette commande. Vous pouvez aussi accepter le paiement en passant la commande à ${words.paidStatus}.`,
  refundReason: "Remboursé auprès du service de paiement",
  refundRecorded: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement, et le remboursement a été enregistré ici.`,
  shortfall: ({ paid, total, missing }, by) =>
    `${paid} ont été reçus pour cette commande de ${total} : il manque ${missing}. ${by === null ? "Cela a été accepté." : `Accepté par ${by}.`}`,
  refundFailed: (amount) =>
    `Le remboursement de ${amount} a échoué : le client n’a pas reçu l’argent, même si cette commande affiche un remboursement.`,
  refundNotRecorded: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement, mais ${words.name} a refusé d’enregistrer le remboursement. Vérifiez les remboursements de cette commande.`,
  refundOfTrashedOrder: (amount) =>
    `${amount} ont été remboursés auprès du service de paiement. La commande est dans la corbeille : aucun remboursement n’y est enregistré.`,
  secondPaymentRefunded: (amount) => `${amount} d’un second paiement ont été remboursés. La commande reste payée.`,
  heldPaymentRefunded: (amount) =>
    `${amount} du paiement qui ne correspondait pas ont été remboursés. La commande n’est pas payée. Si aucun autre paiement n’attend votre décision, annulez-la, ou remettez-la en ${words.unpaidStatus} pour que le client puisse payer à nouveau.`,
  unpaidOrderRefunded: (amount) =>
    `Un paiement a été reçu pour cette commande, et ${amount} en ont été remboursés. La commande n’est pas payée.`,
});

export function noteMessages(language: Language, wordsOf: (language: Language) => PlatformWords): NoteMessages {
  return (language === "fr" ? french : english)(wordsOf(language));
}
