import { explainFinding, type Finding, type Language, NOT_PAYABLE } from "@tillkit/core";

/** Why a cart takes no payment. `closed` is the engine's own reason. The ledger stores the English text. */
export type NotPayableReason = "canceled" | "changed" | "soldOut" | "repriced" | "closed";

/** Texts of admin notifications and of refund notes. */
type NoticeTexts = {
  readonly heldPaymentTitle: string;
  readonly cartGone: string;
  readonly notPayable: Readonly<Record<NotPayableReason, string>>;
  readonly paymentNoteTitle: string;
  readonly refundNote: (refundId: string) => string;
  /** `order`: the order's name, `#1024`, or null where the payment has no order. */
  readonly refundFailed: (amount: string, order: string | null) => string;
  readonly ownRefundFailed: (amount: string) => string;
  readonly canceledNotRefunded: (order: string) => string;
  readonly refundNotRecorded: (amount: string) => string;
  readonly refundedWithoutOrder: (amount: string) => string;
};

const english: NoticeTexts = {
  heldPaymentTitle: "A payment needs review",
  cartGone:
    "The cart was changed or abandoned after the shopper went to the payment page, so no cart expects this payment.",
  notPayable: {
    canceled: "the cart was canceled",
    changed: "the cart was changed after this payment was started",
    soldOut: "an item was sold out before the payment arrived",
    repriced: "the cart's total has changed",
    closed: NOT_PAYABLE,
  },
  paymentNoteTitle: "Payments",
  refundNote: (refundId) => `Refunded by the payment service (${refundId})`,
  refundFailed: (amount, order) =>
    `The refund of ${amount}${order === null ? "" : ` for order ${order}`} failed. The shopper has not received it, even if Medusa shows it. Send it again under “Payments to review”.`,
  ownRefundFailed: (amount) =>
    `The refund of ${amount} failed. The shopper has not received it. Refund the payment again.`,
  canceledNotRefunded: (order) =>
    `Order ${order} was canceled, but its payment was not refunded. Refund it under “Payments to review”.`,
  refundNotRecorded: (amount) =>
    `The payment service refunded ${amount}, but Medusa did not record the refund. Check the refunds of this order.`,
  refundedWithoutOrder: (amount) => `${amount} received without an order was refunded. No order has changed.`,
};

const french: NoticeTexts = {
  heldPaymentTitle: "Un paiement est à vérifier",
  cartGone:
    "Le panier a été modifié ou abandonné après l’arrivée du client sur la page de paiement : aucun panier n’attend ce paiement.",
  notPayable: {
    canceled: "le panier a été annulé",
    changed: "le panier a été modifié après le début de ce paiement",
    soldOut: "un article était épuisé quand le paiement est arrivé",
    repriced: "le total du panier a changé",
    closed: "panier annulé, épuisé ou clos",
  },
  paymentNoteTitle: "Paiements",
  refundNote: (refundId) => `Remboursé par le service de paiement (${refundId})`,
  refundFailed: (amount, order) =>
    `Le remboursement de ${amount}${order === null ? "" : ` pour la commande ${order}`} a échoué. Le client ne l’a pas reçu, même si Medusa l’affiche. Renvoyez-le sous « Paiements à vérifier ».`,
  ownRefundFailed: (amount) =>
    `Le remboursement de ${amount} a échoué. Le client ne l’a pas reçu. Remboursez à nouveau le paiement.`,
  canceledNotRefunded: (order) =>
    `La commande ${order} a été annulée, mais son paiement n’a pas été remboursé. Remboursez-le sous « Paiements à vérifier ».`,
  refundNotRecorded: (amount) =>
    `Le service de paiement a remboursé ${amount}, mais Medusa n’a pas enregistré ce remboursement. Vérifiez les remboursements de cette commande.`,
  refundedWithoutOrder: (amount) =>
    `${amount} reçus sans commande correspondante ont été remboursés. Aucune commande n’est modifiée.`,
};

export function noticeTexts(language: Language): NoticeTexts {
  return language === "fr" ? french : english;
}

const NOT_PAYABLE_REASONS: readonly NotPayableReason[] = ["canceled", "changed", "soldOut", "repriced", "closed"];

/** One sentence about what differs. Medusa has no order before the payment, so the texts speak of the cart. */
export function describeFinding(finding: Finding, language: Language): string {
  const { cartGone, notPayable } = noticeTexts(language);
  if (finding.code === "order_gone") return cartGone;
  if (finding.code !== "order_not_payable") return explainFinding(finding, language);
  const reason = NOT_PAYABLE_REASONS.find((one) => english.notPayable[one] === finding.found);
  return explainFinding({ ...finding, found: reason ? notPayable[reason] : finding.found }, language);
}
