import type { Equation } from "../domain/equation.ts";
import { formatMoney, type Language, type Money } from "../domain/money.ts";
import type { Refusal } from "../domain/refusal.ts";
import { explainEquation } from "./money-texts.ts";

/** Why a decision was not carried out, and what to do, for the person who decided. `decideAt`: the page on which a person decides. */
export function explainRefusal(refusal: Refusal, language: Language, decideAt: string | null = null): string {
  const texts = TEXTS[language];
  const sentence = sentenceOf(refusal, texts, language);
  const needsPage = refusal.kind === "over_dispute" || refusal.kind === "transaction_unknown";
  return needsPage && decideAt !== null ? `${sentence} ${texts.decideThere} ${decideAt}` : sentence;
}

/** The sentence for a refusal of this kind where its amounts are not known; null for a text that is no kind. */
export function refusalText(kind: string, language: Language): string | null {
  const { fixed, changed, overDispute, nothingLeft, muchTooLarge } = TEXTS[language];
  const left = { nothing_left: nothingLeft, never_arrived: nothingLeft, too_large: muchTooLarge };
  const sentences: Readonly<Record<string, string>> = { ...fixed, ...left, changed, over_dispute: overDispute };
  return Object.hasOwn(sentences, kind) ? (sentences[kind] ?? null) : null;
}

/** For a person whose decision was about an older state of the payment. */
export function explainChanged(language: Language): string {
  return TEXTS[language].changed;
}

/** For a person who asks for a payment that is not there, or that they do not see. */
export function explainUnknownPayment(language: Language): string {
  return TEXTS[language].unknown;
}

function sentenceOf(refusal: Refusal, texts: RefusalTexts, language: Language): string {
  switch (refusal.kind) {
    case "too_large":
      return refusal.most.minor > 0 ? texts.tooLarge(formatMoney(refusal.most, language)) : texts.nothingLeft;
    case "over_dispute":
      return [texts.overDispute, explainEquation(refusal.equation, language)].filter((text) => text !== null).join(" ");
    case "nothing_left":
    case "never_arrived":
      return [texts.nothingLeft, explainEquation(refusal.equation, language)].filter((text) => text !== null).join(" ");
    default:
      return texts.fixed[refusal.kind];
  }
}

type RefusalTexts = {
  readonly changed: string;
  readonly unknown: string;
  readonly decideThere: string;
  readonly overDispute: string;
  readonly nothingLeft: string;
  readonly tooLarge: (most: string) => string;
  readonly muchTooLarge: string;
  readonly fixed: Readonly<
    Record<Exclude<Refusal, { readonly equation: Equation } | { readonly most: Money }>["kind"], string>
  >;
};

const TEXTS: Readonly<Record<Language, RefusalTexts>> = {
  en: {
    changed: "This payment has changed since you looked. Nothing was done: look again, then decide.",
    unknown: "This payment is not known here: it was erased, or it belongs to another shop.",
    decideThere: "Decide there:",
    overDispute: "Nothing was refunded, because a dispute holds or took this money.",
    nothingLeft: "Nothing of this payment is left to refund.",
    tooLarge: (most) => `Nothing was refunded: at most ${most} can be refunded.`,
    muchTooLarge: "Nothing was refunded: this is more than what is left to refund.",
    fixed: {
      viewer: "You may look at payments, and decide nothing about them. Ask for the right to decide.",
      not_held: "This payment does not wait for a decision any more.",
      not_acceptable: "This difference cannot be accepted: refund the payment, or correct the order.",
      other_payment_counts: "Another payment counts for this order now: refund this one.",
      no_money: "No money arrived with this payment that could be refunded.",
      refund_in_shop: "This payment pays its order: refund it on the order’s page in the shop.",
      transaction_unknown:
        "Nothing was refunded: nothing names the transaction that paid this payment. A person must name it first.",
      installation_unknown:
        "Nothing was done: this looks like a copy of the shop. A person must first say whether the shop moved to this address.",
      transaction_known: "The transaction that paid this payment is known: there is nothing to decide.",
      transaction_not_possible:
        "This transaction cannot have paid this payment: choose one of the transactions that the page lists.",
      refund_in_doubt: "A refund of this payment has no result yet: wait for it, then decide.",
      too_early: "The payment service may still answer this refund: wait a few minutes, then look in its dashboard.",
      dispute_known: "This dispute is open, or the payment service reported its outcome: there is nothing to decide.",
      key_reused: "This refund’s key belongs to another refund: start again from the payment’s page.",
      amount_invalid: "This is no amount in the payment’s currency: enter one such as 5000 or 12.50.",
      reason_missing: "Write in a few words how the refund was settled.",
      busy: "This payment is being changed at this moment: try again in a minute.",
      write_in_flight: "The shop is still being told of this payment: try again in a few minutes.",
      service_unavailable: "The payment service does not answer: try again in a few minutes. Nothing is done twice.",
      refund_repeated:
        "The same amount was refunded a moment ago. To refund it once more, wait a few seconds and try again.",
      refund_found:
        "An earlier refund of this amount, whose result was unknown, has been made. Reload the order. To refund the amount once more, wait a few seconds and try again.",
      refund_unknown:
        "The payment service did not answer, so the refund may or may not have been made. If it was made, this order will show it. Trying again does not make it twice.",
      refund_not_finished:
        "The payment service has not finished this refund. The shop shows its result as soon as the service reports it.",
      refused_by_service: "The payment service refused the refund, so no money moved. Its dashboard says why.",
      cart_gone: "The cart of this payment is gone, changed or ordered: refund the payment.",
      sold_out: "An item of the cart is sold out: refund the payment, or restock the item and decide again.",
      not_placed:
        "The shop did not place the order; its log says why. The payment is unchanged: correct the cart, or refund the payment.",
    },
  },
  fr: {
    changed:
      "Ce paiement a changé depuis que vous l’avez regardé. Rien n’a été fait : regardez à nouveau, puis décidez.",
    unknown: "Ce paiement n’est pas connu ici : il a été effacé, ou il appartient à une autre boutique.",
    decideThere: "Décidez ici :",
    overDispute: "Rien n’a été remboursé, car une contestation retient ou a repris cet argent.",
    nothingLeft: "Il ne reste rien à rembourser de ce paiement.",
    tooLarge: (most) => `Rien n’a été remboursé : le remboursement possible est de ${most} au plus.`,
    muchTooLarge: "Rien n’a été remboursé : c’est plus que ce qui reste à rembourser.",
    fixed: {
      viewer: "Vous pouvez consulter les paiements, sans rien décider. Demandez le droit de décider.",
      not_held: "Ce paiement n’attend plus de décision.",
      not_acceptable: "Cette différence ne peut pas être acceptée : remboursez le paiement, ou corrigez la commande.",
      other_payment_counts: "Un autre paiement compte désormais pour cette commande : remboursez celui-ci.",
      no_money: "Aucun argent remboursable n’est arrivé avec ce paiement.",
      refund_in_shop: "Ce paiement règle sa commande : remboursez-le sur la page de la commande dans la boutique.",
      transaction_unknown:
        "Rien n’a été remboursé : rien ne nomme la transaction qui a réglé ce paiement. Une personne doit d’abord la désigner.",
      installation_unknown:
        "Rien n’a été fait : ceci ressemble à une copie de la boutique. Une personne doit d’abord dire si la boutique a déménagé à cette adresse.",
      transaction_known: "La transaction qui a réglé ce paiement est connue : il n’y a rien à décider.",
      transaction_not_possible:
        "Cette transaction ne peut pas avoir réglé ce paiement : choisissez l’une de celles que la page propose.",
      refund_in_doubt: "Un remboursement de ce paiement n’a pas encore de résultat : attendez-le, puis décidez.",
      too_early:
        "Le service de paiement peut encore répondre pour ce remboursement : attendez quelques minutes, puis regardez dans son tableau de bord.",
      dispute_known:
        "Cette contestation est ouverte, ou le service de paiement en a donné l’issue : il n’y a rien à décider.",
      key_reused: "La clé de ce remboursement appartient à un autre : recommencez depuis la page du paiement.",
      amount_invalid: "Ce n’est pas un montant dans la devise du paiement : saisissez par exemple 5000 ou 12,50.",
      reason_missing: "Écrivez en quelques mots comment le remboursement a été réglé.",
      busy: "Ce paiement est en cours de modification : réessayez dans une minute.",
      write_in_flight: "La boutique est encore en train d’apprendre ce paiement : réessayez dans quelques minutes.",
      service_unavailable:
        "Le service de paiement ne répond pas : réessayez dans quelques minutes. Rien n’est fait deux fois.",
      refund_repeated:
        "Le même montant vient d’être remboursé. Pour le rembourser encore une fois, attendez quelques secondes et réessayez.",
      refund_found:
        "Un remboursement précédent de ce montant, dont le résultat était inconnu, a été effectué. Rechargez la commande. Pour rembourser ce montant encore une fois, attendez quelques secondes et réessayez.",
      refund_unknown:
        "Le service de paiement n’a pas répondu : le remboursement a peut-être été effectué. S’il l’a été, cette commande l’affichera. Réessayer ne l’effectue pas deux fois.",
      refund_not_finished:
        "Le service de paiement n’a pas encore terminé ce remboursement. La boutique affiche le résultat dès que le service l’annonce.",
      refused_by_service:
        "Le service de paiement a refusé le remboursement : aucun argent n’a bougé. Son tableau de bord dit pourquoi.",
      cart_gone: "Le panier de ce paiement n’existe plus, a changé ou a été commandé : remboursez le paiement.",
      sold_out: "Un article du panier est épuisé : remboursez le paiement, ou réapprovisionnez puis décidez à nouveau.",
      not_placed:
        "La boutique n’a pas passé la commande ; son journal dit pourquoi. Le paiement est inchangé : corrigez le panier ou remboursez le paiement.",
    },
  },
};
