import { explainFinding, type Finding, type Language } from "@tillkit/core";

/** Why a cart takes no payment. Medusa has no order before the payment, so these texts speak of the cart. */
type CartReason = "cancelled" | "order_changed" | "sold_out" | "total_changed";

/** Texts of admin notifications and of refund notes. */
type NoticeTexts = {
  readonly heldPaymentTitle: string;
  readonly cartGone: string;
  readonly cartNotPayable: Readonly<Record<CartReason, string>>;
  readonly paymentNoteTitle: string;
  readonly refundNote: (refundId: string) => string;
  /** `order`: the order's name, `#1024`, or null where the payment has no order. */
  readonly refundFailed: (amount: string, order: string | null) => string;
  readonly ownRefundFailed: (amount: string) => string;
  readonly canceledNotRefunded: (order: string) => string;
  readonly refundNotRecorded: (amount: string) => string;
  /** Medusa shows a refund of the part of its order that the shopper never paid. */
  readonly nothingSent: (amount: string) => string;
  readonly refundedWithoutOrder: (amount: string) => string;
  readonly placedUnpaid: (amount: string, order: string | null) => string;
  /** Medusa did not answer while it placed the order. */
  readonly unanswered: (order: string | null) => string;
};

const english: NoticeTexts = {
  heldPaymentTitle: "A payment needs review",
  cartGone:
    "The cart was changed or abandoned after the shopper went to the payment page, so no cart expects this payment.",
  cartNotPayable: {
    cancelled: "The shop cannot take this payment: the cart was canceled.",
    order_changed: "The shop cannot take this payment: the cart was changed after this payment was started.",
    sold_out: "The shop cannot take this payment: an item was sold out before the payment arrived.",
    total_changed: "The shop cannot take this payment: the cart’s total has changed.",
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
  placedUnpaid: (amount, order) =>
    `${amount} were refunded because the cart could not be placed, but order ${order ?? "–"} exists and is not paid. Do not ship it: cancel it, or ask the customer to pay again.`,
  nothingSent: (amount) =>
    `Medusa shows a refund of ${amount}, but no money was sent: the shopper paid less than the order’s total, and all of it has gone back already.`,
  refundedWithoutOrder: (amount) => `${amount} received without an order was refunded. No order has changed.`,
  unanswered: (order) =>
    `Order ${order ?? "–"} is paid. Medusa was interrupted while it placed the order. Check whether you and the customer got its e-mails.`,
};

const french: NoticeTexts = {
  heldPaymentTitle: "Un paiement est à vérifier",
  cartGone:
    "Le panier a été modifié ou abandonné après l’arrivée du client sur la page de paiement : aucun panier n’attend ce paiement.",
  cartNotPayable: {
    cancelled: "La boutique ne peut pas prendre ce paiement : le panier a été annulé.",
    order_changed:
      "La boutique ne peut pas prendre ce paiement : le panier a été modifié après le début de ce paiement.",
    sold_out: "La boutique ne peut pas prendre ce paiement : un article était épuisé quand le paiement est arrivé.",
    total_changed: "La boutique ne peut pas prendre ce paiement : le total du panier a changé.",
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
  placedUnpaid: (amount, order) =>
    `${amount} ont été remboursés parce que le panier ne pouvait pas devenir une commande, mais la commande ${order ?? "–"} existe et n’est pas payée. Ne l’expédiez pas : annulez-la, ou demandez au client de payer à nouveau.`,
  nothingSent: (amount) =>
    `Medusa affiche un remboursement de ${amount}, mais aucun argent n’a été envoyé : le client a payé moins que le total de la commande, et tout lui a déjà été rendu.`,
  refundedWithoutOrder: (amount) =>
    `${amount} reçus sans commande correspondante ont été remboursés. Aucune commande n’est modifiée.`,
  unanswered: (order) =>
    `La commande ${order ?? "–"} est payée. Medusa a été interrompu pendant qu’il la créait. Vérifiez si vous et le client avez reçu ses e-mails.`,
};

export function noticeTexts(language: Language): NoticeTexts {
  return language === "fr" ? french : english;
}

/** One sentence about what differs. */
export function describeFinding(finding: Finding, language: Language): string {
  const { cartGone, cartNotPayable } = noticeTexts(language);
  if (finding.code === "order_gone") return cartGone;
  const texts: Readonly<Record<string, string>> = cartNotPayable;
  const kind = finding.code === "order_not_payable" && finding.why !== null ? finding.why.kind : "";
  return texts[kind] ?? explainFinding(finding, language);
}
