import { formatMoney, type Language, type Money } from "@tillkit/core";

/** A refund that was made at the service, for the owner of the shop. */
export function refundWords(
  language: Language,
  { amount, status }: { readonly amount: Money; readonly status: "completed" | "failed" },
): string {
  const sum = formatMoney(amount, language);
  if (language === "fr")
    return status === "failed"
      ? `Le remboursement de ${sum} a échoué ; l’argent est toujours sur votre compte.`
      : `${sum} ont été remboursés.`;
  return status === "failed"
    ? `The refund of ${sum} failed; the money is still in your account.`
    : `${sum} was refunded.`;
}

/** Why the service does not pay a refund that was noted in the shop. */
export type UnpaidRefund = "failed" | "refused" | "undecided";

const UNPAID: Readonly<Record<Language, Readonly<Record<UnpaidRefund, string>>>> = {
  fr: {
    failed: "Ce remboursement est noté dans la boutique, mais le service de paiement n’a pas pu l’effectuer.",
    refused:
      "Ce remboursement est noté dans la boutique, mais il dépasse ce qui reste du paiement : il n’est pas versé.",
    undecided:
      "Ce remboursement est noté dans la boutique, mais l’argent reçu pour cette commande est en attente d’une décision (retenu, ou payé une deuxième fois) : rien n’est versé avant elle.",
  },
  en: {
    failed: "This refund is noted in the shop, but the payment service could not give the money back.",
    refused: "This refund is noted in the shop, but it is more than what is left of the payment: it is not paid.",
    undecided:
      "This refund is noted in the shop, but the money that arrived for this order waits for a decision (it is held, or was paid a second time): nothing is paid before that.",
  },
};

/** A refund that was noted in the shop, and that the service does not pay. */
export function unpaidRefundWords(language: Language, why: UnpaidRefund): string {
  return UNPAID[language][why];
}
