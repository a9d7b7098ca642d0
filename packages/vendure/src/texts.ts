import type { Language } from "@tillkit/core";

type PluginTexts = {
  /** The description of the payment handler. */
  readonly method: string;
  readonly orderTitle: (code: string) => string;
  /** A note on the order. */
  readonly held: string;
  readonly onlyByPlugin: string;
  readonly paymentUnderWay: string;
  /** A note on the order. */
  readonly methodMissing: (channel: string) => string;
  /** A note on the order: Vendure did not answer while it was settled. */
  readonly unanswered: string;
  readonly orderRestored: string;
  readonly orderOverwritten: string;
  readonly noOrder: string;
  readonly notReady: (reason: string) => string;
  /** After `notReady`. */
  readonly partAuthorized: string;
  readonly alreadyPaid: string;
  /** For the shopper. */
  readonly paymentHeld: string;
  readonly notStarted: string;
  readonly notTaken: string;
  /** For the owner. */
  readonly notCancelable: string;
  readonly refundReason: (refundId: string) => string;
  readonly refundNote: (reason: RefundNoteReason, amount: string) => string;
};

/** Why a refund becomes a note and not a refund of the order: it failed, Vendure refused it, or the order does not show its payment. */
export type RefundNoteReason = "failed" | "notRecorded" | "paymentNotShown";

const english: PluginTexts = {
  method: "Tillkit: hosted checkout of the payment service",
  orderTitle: (code) => `Order ${code}`,
  held: "A payment of this order needs a review.",
  onlyByPlugin: "This payment method has a page of its own: request its address with createTillkitCheckout.",
  paymentUnderWay: "The payment of this order has just arrived. Reload the order.",
  methodMissing: (channel) =>
    `A payment of this order has arrived, but the channel ${channel} has no enabled payment method with Tillkit's handler. Enable it, and the order is settled by itself.`,
  unanswered:
    "The order is paid. Vendure was interrupted while it settled the order: check whether you and the customer got its e-mails.",
  orderRestored:
    "This order was paid, and was then overwritten as unpaid. It is shown as paid again; check its addresses before you send it.",
  orderOverwritten:
    "This order was paid, and was then overwritten as unpaid and changed. Compare it with its payment before you send it.",
  noOrder: "There is no order to pay.",
  notReady: (reason) => `This order cannot be paid yet: ${reason}`,
  partAuthorized: "another payment method has authorized a part of the order and has not charged it",
  alreadyPaid: "This order is already paid.",
  paymentHeld: "We have received a payment for this order and are checking it. Please do not pay again.",
  notStarted: "The payment could not be started. Try again in a moment.",
  notTaken: "The payment service does not take this amount or this currency. Choose another payment method.",
  notCancelable: "A payment that has arrived cannot be cancelled: refund it.",
  refundReason: (refundId) => `Refunded by the payment service (${refundId})`,
  refundNote: (reason, amount) => {
    if (reason === "failed")
      return `The refund of ${amount} failed. The shopper has not received it: refund the payment again.`;
    if (reason === "paymentNotShown")
      return `${amount} of a payment that this order does not show was refunded. The order has not changed.`;
    return `The payment service refunded ${amount}, but Vendure did not record it. Check the refunds of this order.`;
  },
};

const french: PluginTexts = {
  method: "Tillkit : page de paiement du service",
  orderTitle: (code) => `Commande ${code}`,
  held: "Un paiement de cette commande est à vérifier.",
  onlyByPlugin: "Ce moyen de paiement a sa propre page : demandez son adresse avec createTillkitCheckout.",
  paymentUnderWay: "Le paiement de cette commande vient d’arriver. Rechargez la commande.",
  methodMissing: (channel) =>
    `Un paiement de cette commande est arrivé, mais le canal ${channel} n’a aucun moyen de paiement actif de Tillkit. Activez-le : la commande sera alors réglée d’elle-même.`,
  unanswered:
    "La commande est payée. Vendure a été interrompu pendant qu’il la réglait : vérifiez si vous et le client avez reçu ses e-mails.",
  orderRestored:
    "Cette commande était payée, puis a été réécrite comme non payée. Elle est de nouveau affichée comme payée ; vérifiez ses adresses avant de l’envoyer.",
  orderOverwritten:
    "Cette commande était payée, puis a été réécrite comme non payée et modifiée. Comparez-la avec son paiement avant de l’envoyer.",
  noOrder: "Il n’y a aucune commande à payer.",
  notReady: (reason) => `Cette commande ne peut pas encore être payée : ${reason}`,
  partAuthorized: "un autre moyen de paiement a autorisé une partie de la commande sans l’encaisser",
  alreadyPaid: "Cette commande est déjà payée.",
  paymentHeld: "Nous avons reçu un paiement pour cette commande et nous le vérifions. Ne payez pas une deuxième fois.",
  notStarted: "Le paiement n’a pas pu être lancé. Réessayez dans un instant.",
  notTaken: "Le service de paiement n’accepte pas ce montant ou cette devise. Choisissez un autre moyen de paiement.",
  notCancelable: "Un paiement reçu ne peut pas être annulé : remboursez-le.",
  refundReason: (refundId) => `Remboursé par le service de paiement (${refundId})`,
  refundNote: (reason, amount) => {
    if (reason === "failed")
      return `Le remboursement de ${amount} a échoué. Le client ne l’a pas reçu : remboursez à nouveau le paiement.`;
    if (reason === "paymentNotShown")
      return `${amount} d’un paiement que cette commande n’affiche pas ont été remboursés. La commande n’a pas changé.`;
    return `Le service de paiement a remboursé ${amount}, mais Vendure ne l’a pas enregistré. Vérifiez les remboursements de cette commande.`;
  },
};

export function pluginTexts(language: Language): PluginTexts {
  return language === "fr" ? french : english;
}

/** The language of the answer to a request: French if the request asks for French, otherwise English. */
export function languageOf({ languageCode }: { readonly languageCode: string }): Language {
  return languageCode === "fr" ? "fr" : "en";
}
