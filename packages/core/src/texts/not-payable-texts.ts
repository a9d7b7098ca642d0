import type { Language } from "../domain/money.ts";
import type { NotPayable } from "../domain/not-payable.ts";

/** Why the store cannot take a payment, for the shop's owner: one sentence. */
export function explainNotPayable(why: NotPayable, language: Language): string {
  const { opening, plain, orderState, leftUnsettled, refusedByPlatform } = TEXTS[language];
  switch (why.kind) {
    case "order_state":
      return `${opening} ${orderState(why.state)}.`;
    case "left_unsettled":
      return `${opening} ${leftUnsettled(why.state)}.`;
    case "refused_by_platform":
      return `${opening} ${refusedByPlatform}${why.code === null ? "" : ` (${why.code})`}.`;
    default:
      return `${opening} ${plain[why.kind]}.`;
  }
}

type WithoutFields = Exclude<NotPayable["kind"], "order_state" | "left_unsettled" | "refused_by_platform">;

type NotPayableTexts = {
  readonly opening: string;
  /** The words after the opening, without a full stop. */
  readonly plain: Readonly<Record<WithoutFields, string>>;
  readonly orderState: (state: string) => string;
  readonly leftUnsettled: (state: string) => string;
  readonly refusedByPlatform: string;
};

const TEXTS: Readonly<Record<Language, NotPayableTexts>> = {
  en: {
    opening: "The shop cannot take this payment:",
    plain: {
      closed: "the order is cancelled, sold out or closed",
      cancelled: "the order was cancelled",
      sold_out: "an item is sold out",
      total_changed: "the order’s total has changed",
      order_changed: "the order was changed after this payment was started",
      part_missing: "a product or another part of the order no longer exists in the shop",
      part_authorized: "another payment method has authorized a part of the order and has not charged it",
      method_missing: "the order does not wait for this payment method",
      attempt_ended: "the shop’s platform has ended this attempt to pay",
      refunded_already: "the order already shows its money as refunded",
    },
    orderState: (state) => `the order is in the state “${state}”`,
    leftUnsettled: (state) => `its platform would leave the order in the state “${state}”`,
    refusedByPlatform: "its platform refuses it",
  },
  fr: {
    opening: "La boutique ne peut pas prendre ce paiement :",
    plain: {
      closed: "commande annulée, épuisée ou close",
      cancelled: "la commande a été annulée",
      sold_out: "un article est épuisé",
      total_changed: "le total de la commande a changé",
      order_changed: "la commande a été modifiée après le début de ce paiement",
      part_missing: "un produit ou un autre élément de la commande n’existe plus dans la boutique",
      part_authorized: "un autre moyen de paiement a autorisé une partie de la commande sans l’encaisser",
      method_missing: "la commande n’attend pas ce moyen de paiement",
      attempt_ended: "la plateforme de la boutique a mis fin à cette tentative de paiement",
      refunded_already: "la commande affiche déjà son argent comme remboursé",
    },
    orderState: (state) => `la commande est dans l’état « ${state} »`,
    leftUnsettled: (state) => `sa plateforme laisserait la commande dans l’état « ${state} »`,
    refusedByPlatform: "sa plateforme le refuse",
  },
};
