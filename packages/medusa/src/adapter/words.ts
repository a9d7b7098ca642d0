import { explainFinding, type Finding, type Language, NOT_PAYABLE } from "@tillkit/core";

/** Why a cart takes no payment; `closed` is what the engine says by itself. The ledger keeps the English words. */
export type NotPayable = "canceled" | "changed" | "repriced" | "closed";

/** What stands in the admin's bell and beside refunds. */
type NoticeWords = {
  readonly heldTitle: string;
  readonly cartGone: string;
  readonly notPayable: Readonly<Record<NotPayable, string>>;
  readonly noteTitle: string;
  readonly refundNote: (refundId: string) => string;
  readonly refundFailed: (amount: string) => string;
  readonly refundNotRecorded: (amount: string) => string;
  readonly otherMoneyBack: (amount: string) => string;
};

const english: NoticeWords = {
  heldTitle: "A payment needs a look",
  cartGone:
    "The cart was changed or given up after the shopper had gone to pay: nothing in Medusa waits for this payment any more.",
  notPayable: {
    canceled: "the cart was canceled",
    changed: "the cart was changed after this payment was begun",
    repriced: "the cart has another total now",
    closed: NOT_PAYABLE,
  },
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
    "Le panier a été modifié ou abandonné après le départ du client vers le paiement : plus aucun panier de Medusa n’attend ce paiement.",
  notPayable: {
    canceled: "le panier a été annulé",
    changed: "le panier a été modifié après le début de ce paiement",
    repriced: "le total du panier a changé depuis",
    closed: "panier annulé, épuisé ou clos",
  },
  noteTitle: "Paiements",
  refundNote: (refundId) => `Remboursé depuis le service de paiement (${refundId})`,
  refundFailed: (amount) =>
    `Le remboursement de ${amount} a échoué : l’argent est toujours là, quoi que montre Medusa.`,
  refundNotRecorded: (amount) =>
    `${amount} ont été remboursés depuis le service de paiement, mais Medusa a refusé de l’enregistrer. Comparez les remboursements de cette commande.`,
  otherMoneyBack: (amount) => `${amount} arrivés sans commande ont été remboursés. Aucune commande n’est modifiée.`,
};

export function wordsOf(language: Language): NoticeWords {
  return language === "fr" ? french : english;
}

const REASONS: readonly NotPayable[] = ["canceled", "changed", "repriced", "closed"];

/** What differs, in one sentence. In Medusa it is a cart that goes away, long before there is an order. */
export function sentenceOf(finding: Finding, language: Language): string {
  const { cartGone, notPayable } = wordsOf(language);
  if (finding.code === "order_gone") return cartGone;
  if (finding.code !== "order_not_payable") return explainFinding(finding, language);
  const why = REASONS.find((reason) => english.notPayable[reason] === finding.found);
  return explainFinding({ ...finding, found: why ? notPayable[why] : finding.found }, language);
}
