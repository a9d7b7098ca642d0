import { formatMoney, type Language, type Money } from "@tillkit/core";

/** The notice about a refund that was made at the payment service. */
export function refundText(
  language: Language,
  { amount, status }: { readonly amount: Money; readonly status: "completed" | "failed" },
): string {
  const formatted = formatMoney(amount, language);
  if (language === "fr")
    return status === "failed"
      ? `Le remboursement de ${formatted} a échoué. L’argent est toujours sur votre compte.`
      : `Un remboursement de ${formatted} a été effectué.`;
  return status === "failed"
    ? `The refund of ${formatted} failed. The money is still in your account.`
    : `${formatted} was refunded.`;
}

/**
 * Why the service does not pay a refund that the owner recorded in the shop. `undecided`: the order's payment is held or is a
 * duplicate, and a person must decide about that payment first. `made_at_service`: a refund of the same amount was made at the
 * service after it. `names_another`: its note names another refund. `key_missing`: the shop has no key of the service, and the refund
 * is paid when it has one. `decision_needed`: a dispute holds the money, or nothing names the transaction that paid. `in_doubt`: the
 * service does not show whether it was made. `refused`: anything else, which the sentence of every page says after this text.
 */
export type UnpaidRefundReason =
  | "failed"
  | "refused"
  | "undecided"
  | "made_at_service"
  | "names_another"
  | "key_missing"
  | "decision_needed"
  | "in_doubt";

const UNPAID_REFUND: Readonly<Record<Language, Readonly<Record<UnpaidRefundReason, string>>>> = {
  fr: {
    failed: "Ce remboursement est enregistré dans la boutique, mais le service de paiement n’a pas pu l’effectuer.",
    refused: "Ce remboursement est enregistré dans la boutique, mais il n’est pas versé.",
    undecided:
      "Ce remboursement est enregistré dans la boutique, mais l’argent reçu pour cette commande attend une décision (paiement retenu ou payé deux fois). Il n’est pas versé avant cette décision.",
    made_at_service:
      "Ce remboursement est enregistré dans la boutique, mais un remboursement du même montant a déjà été effectué auprès du service de paiement. Il n’est pas versé une seconde fois. Si le client doit recevoir les deux, effectuez le second auprès du service de paiement.",
    names_another:
      "Ce remboursement est enregistré dans la boutique, mais sa note désigne un autre remboursement, déjà effectué. Il n’est pas versé. Si le client doit recevoir les deux, effectuez celui-ci auprès du service de paiement.",
    key_missing:
      "Ce remboursement est enregistré dans la boutique, mais la boutique n’a plus de clé du service de paiement. Saisissez de nouveau la clé : il est alors versé.",
    decision_needed:
      "Ce remboursement est enregistré dans la boutique, mais une personne doit d’abord décider de ce paiement.",
    in_doubt: "Ce remboursement est enregistré dans la boutique, mais son résultat est inconnu.",
  },
  en: {
    failed: "This refund is recorded in the shop, but the payment service could not make it.",
    refused: "This refund is recorded in the shop, but it is not paid.",
    undecided:
      "This refund is recorded in the shop, but the money received for this order waits for a decision (the payment is held or is a duplicate). It is not paid before that decision.",
    made_at_service:
      "This refund is recorded in the shop, but a refund of the same amount was already made at the payment service. It is not paid a second time. If the customer must receive both, make the second one at the payment service.",
    names_another:
      "This refund is recorded in the shop, but its note names another refund, which was already made. It is not paid. If the customer must receive both, make this one at the payment service.",
    key_missing:
      "This refund is recorded in the shop, but the shop has no key of the payment service. Enter the key again: the refund is then paid.",
    decision_needed: "This refund is recorded in the shop, but a person must decide about this payment first.",
    in_doubt: "This refund is recorded in the shop, but its result is not known.",
  },
};

export function unpaidRefundText(language: Language, reason: UnpaidRefundReason): string {
  return UNPAID_REFUND[language][reason];
}

/** The notice about a payment that only the owner can record on the order. */
export function unrecordedText(
  language: Language,
  { paid, outstanding }: { readonly paid: Money; readonly outstanding: Money },
): string {
  const received = formatMoney(paid, language);
  const due = formatMoney(outstanding, language);
  return language === "fr"
    ? `${received} ont été reçus et la commande attend ${due}. Avec la formule Shopify de cette boutique, une application ne peut pas enregistrer un autre montant que le solde : enregistrez ce paiement à la main sur la commande, ou remboursez-le.`
    : `${received} was received and the order still costs ${due}. On this shop’s Shopify plan an app can record only the whole outstanding amount: record this payment on the order by hand, or refund it.`;
}

/** The notice about a refund of the service that is larger than what Shopify can still record. */
export function unrecordedRefundText(
  language: Language,
  { amount, recordable }: { readonly amount: Money; readonly recordable: Money },
): string {
  const refunded = formatMoney(amount, language);
  const left = formatMoney(recordable, language);
  return language === "fr"
    ? `${refunded} ont été remboursés. Sur cette commande, Shopify ne peut plus enregistrer que ${left} comme remboursés : ce remboursement n’y est pas enregistré. Si la commande ne le montre pas déjà, enregistrez-le à la main.`
    : `${refunded} was refunded. On this order Shopify can record only ${left} more as refunded, so this refund is not recorded there. If the order does not show it already, record it by hand.`;
}

const STORED_DATA: Readonly<Record<Language, string>> = {
  en: "A customer asks for their data. Send them this file: it contains all that this app stores about these orders, which is amounts, times, order and payment numbers.",
  fr: "Un client demande l’accès à ses données. Envoyez-lui ce fichier : il contient tout ce que cette application conserve sur ces commandes, à savoir des montants, des heures, des numéros de commande et de paiement.",
};

/** The notice for the owner who must answer a customer's request for their data. */
export function storedDataText(language: Language): string {
  return STORED_DATA[language];
}
