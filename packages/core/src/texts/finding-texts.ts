import type { Finding, FindingCode, SessionField } from "../domain/finding.ts";
import { formatMoney, type Language, type Money } from "../domain/money.ts";
import { explainNotPayable } from "./not-payable-texts.ts";

/** Who reads a sentence: a shop's owner reads about their own order, an operator about an order of some shop. */
export type Reader = "owner" | "operator";

/** What differs, in one sentence. */
export function explainFinding(finding: Finding, language: Language, reader: Reader = "owner"): string {
  const texts = TEXTS[language];
  const text = (amount: Money) => formatMoney(amount, language);
  switch (finding.code) {
    case "amount_differs":
      return texts.amountDiffers[reader](text(finding.expected), finding.found && text(finding.found));
    case "total_changed":
      return texts.totalChanged(text(finding.expected), finding.found && text(finding.found));
    case "currency_differs":
      return texts.currencyDiffers(finding.expected, finding.found);
    case "other_environment":
      return texts.otherEnvironment(finding.expected, finding.found);
    case "order_not_payable":
      return explainNotPayable(finding.why ?? { kind: "closed" }, language);
    case "not_verifiable":
      return texts.notVerifiable(texts.field[finding.missing]);
    case "paid_outside":
      return finding.paidBy === "owner" ? texts.setToPaid(finding.markedBy) : texts.paidByUnknown;
    case "refund_failed":
      return texts.refundFailed(text(finding.amount));
    case "refunded_but_shown":
      return texts.refundedButShown(text(finding.amount));
    case "lost_to_dispute":
      return texts.lostToDispute(text(finding.received), text(finding.disputed));
    default:
      return texts.plain[finding.code];
  }
}

type WithoutAmounts = Extract<
  FindingCode,
  "other_session" | "other_reference" | "other_account" | "order_gone" | "not_paid"
>;

type FindingTexts = {
  readonly amountDiffers: Readonly<Record<Reader, (expected: string, found: string | null) => string>>;
  readonly totalChanged: (expected: string, found: string | null) => string;
  readonly currencyDiffers: (expected: string, found: string) => string;
  readonly otherEnvironment: (expected: string, found: string) => string;
  readonly notVerifiable: (field: string) => string;
  readonly field: Readonly<Record<SessionField, string>>;
  readonly setToPaid: (by: string | null) => string;
  readonly paidByUnknown: string;
  readonly refundFailed: (amount: string) => string;
  readonly refundedButShown: (amount: string) => string;
  readonly lostToDispute: (received: string, disputed: string) => string;
  readonly plain: Readonly<Record<WithoutAmounts, string>>;
};

const TEXTS: Readonly<Record<Language, FindingTexts>> = {
  en: {
    amountDiffers: {
      owner: (expected, found) =>
        found === null
          ? `Your order asks for ${expected}; the payment service does not report an exact amount.`
          : `Your order asks for ${expected}; ${found} arrived.`,
      operator: (expected, found) =>
        found === null
          ? `The amount paid differs: ${expected} was requested, and the service reports no exact amount.`
          : `The amount paid differs: ${expected} was requested, ${found} was paid.`,
    },
    totalChanged: (expected, found) =>
      found === null
        ? `The order was changed after payment began: ${expected} then, and now a total that the payment service cannot take.`
        : `The order was changed after payment began: ${expected} then, ${found} now.`,
    currencyDiffers: (expected, found) => `The currency differs: ${expected} was requested, ${found} was paid.`,
    otherEnvironment: (expected, found) => `The environment differs: ${expected} was expected, ${found} was found.`,
    notVerifiable: (field) => `The payment cannot be verified: the service’s response does not contain its ${field}.`,
    field: {
      session_id: "session id",
      status: "status",
      reference: "reference",
      amount: "amount",
      currency: "currency",
    },
    setToPaid: (by) =>
      `The order shows as paid, but not by this payment: set to paid by hand${by === null ? "" : ` by ${by}`}. Accept it or refund it.`,
    paidByUnknown:
      "The order shows as paid, but not by this payment: the shop does not say by what. Accept it or refund it.",
    refundFailed: (amount) => `The refund of ${amount} failed: the money was not returned.`,
    refundedButShown: (amount) =>
      `The order shows this payment as paid, but its ${amount} went back: correct the order, and do not ship.`,
    lostToDispute: (received, disputed) =>
      `A dispute took back ${disputed} of ${received}: this payment pays no order.`,
    plain: {
      other_session: "The service returned a different session.",
      other_reference: "The session carries the reference of another payment.",
      other_account: "The session belongs to another account.",
      order_gone: "The order no longer exists in the shop.",
      not_paid: "No payment arrived within the grace period.",
    },
  },
  fr: {
    amountDiffers: {
      owner: (expected, found) =>
        found === null
          ? `Votre commande demande ${expected} ; le service de paiement n’indique pas de montant exact.`
          : `Votre commande demande ${expected} ; ${found} sont arrivés.`,
      operator: (expected, found) =>
        found === null
          ? `Le montant payé diffère : ${expected} demandés, et le service n’indique pas de montant exact.`
          : `Le montant payé diffère : ${expected} demandés, ${found} payés.`,
    },
    totalChanged: (expected, found) =>
      found === null
        ? `La commande a été modifiée après le début du paiement : ${expected} à ce moment-là, et maintenant un total que le service de paiement n’accepte pas.`
        : `La commande a été modifiée après le début du paiement : ${expected} à ce moment-là, ${found} maintenant.`,
    currencyDiffers: (expected, found) => `La devise diffère : ${expected} demandée, ${found} payée.`,
    otherEnvironment: (expected, found) => `L’environnement diffère : ${expected} attendu, ${found} constaté.`,
    notVerifiable: (field) => `Le paiement n’a pas pu être vérifié : ${field} manque dans la réponse du service.`,
    field: {
      session_id: "l’identifiant de la session",
      status: "l’état",
      reference: "la référence",
      amount: "le montant",
      currency: "la devise",
    },
    setToPaid: (by) =>
      `La commande est marquée payée, mais pas par ce paiement (marquée payée à la main${by === null ? "" : ` par ${by}`}). Acceptez-le ou remboursez-le.`,
    paidByUnknown:
      "La commande est marquée payée, mais pas par ce paiement (la boutique n’indique pas par quel moyen). Acceptez-le ou remboursez-le.",
    refundFailed: (amount) => `Le remboursement de ${amount} a échoué : l’argent n’a pas été restitué.`,
    refundedButShown: (amount) =>
      `La commande affiche ce paiement comme reçu, mais ${amount} ont été restitués : corrigez la commande et n’expédiez pas.`,
    lostToDispute: (received, disputed) =>
      `Une contestation a repris ${disputed} sur ${received} : ce paiement ne règle aucune commande.`,
    plain: {
      other_session: "Le service a renvoyé une autre session.",
      other_reference: "La session porte la référence d’un autre paiement.",
      other_account: "La session appartient à un autre compte.",
      order_gone: "La commande n’existe plus dans la boutique.",
      not_paid: "Aucun paiement n’est arrivé dans le délai.",
    },
  },
};
