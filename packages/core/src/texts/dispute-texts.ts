import { type DisputeFacts, isOpenDispute, isPastDeadline } from "../domain/dispute.ts";
import { formatMoney, type Language } from "../domain/money.ts";
import { dateText } from "./date-text.ts";

/** The person who reads a text. `now` tells whether the deadline has passed. `timeText` writes a time in the reader's time zone; without it, in UTC. */
export type DisputeReader = { readonly now: number; timeText?(at: number): string };

/** Explains a dispute and its effect on the money in sentences without personal data. */
export function explainDispute(dispute: DisputeFacts, language: Language, reader: DisputeReader): string {
  const texts = TEXTS[language];
  const { amount, reason, outcome, evidenceDueBy } = dispute;
  const amountText = amount === null ? texts.noAmount : formatMoney(amount, language);
  const reasonText = reason === "" ? "" : ` (${texts.reasons[reason] ?? reason})`;
  if (!isOpenDispute(dispute)) return texts.closed[outcome ?? "unknown"](amountText);
  const due = evidenceDueBy === null ? texts.noDeadline : dueText({ evidenceDueBy }, language, reader);
  return `${texts.open(amountText, reasonText)} ${due}`;
}

function dueText(
  dispute: { readonly evidenceDueBy: number },
  language: Language,
  { now, timeText }: DisputeReader,
): string {
  const { tooLate, deadline } = TEXTS[language];
  const { evidenceDueBy: at } = dispute;
  return (isPastDeadline(dispute, now) ? tooLate : deadline)(timeText?.(at) ?? dateText(at, language));
}

type DisputeTexts = {
  readonly noAmount: string;
  readonly open: (amount: string, reason: string) => string;
  readonly deadline: (date: string) => string;
  readonly tooLate: (date: string) => string;
  readonly noDeadline: string;
  readonly closed: Readonly<Record<"won" | "lost" | "unknown", (amount: string) => string>>;
  readonly reasons: Readonly<Record<string, string>>;
};

const TEXTS: Readonly<Record<Language, DisputeTexts>> = {
  en: {
    noAmount: "an amount that the service did not report",
    open: (amount, reason) =>
      `The cardholder disputes ${amount}${reason}: the service holds this amount until the dispute is decided.`,
    deadline: (date) => `Send evidence in the service’s dashboard by ${date}; without it the amount is lost.`,
    tooLate: (date) =>
      `The time for evidence ended on ${date}, and the service now decides. Do not refund this payment meanwhile: the money could leave twice.`,
    noDeadline: "Respond in the service’s dashboard; the service reported no deadline.",
    closed: {
      won: (amount) => `You won the dispute about ${amount}: the shop keeps the money.`,
      lost: (amount) =>
        `You lost the dispute about ${amount}: the service returned this amount to the cardholder. Do not refund it as well.`,
      unknown: (amount) =>
        `The dispute about ${amount} is closed; the service did not report the outcome. Check its dashboard for the money.`,
    },
    reasons: {
      product_not_received: "product not received",
      product_unacceptable: "product not as described",
      fraudulent: "payment not recognised",
      duplicate: "charged twice",
      credit_not_processed: "refund not received",
      subscription_canceled: "subscription cancelled",
    },
  },
  fr: {
    noAmount: "un montant que le service n’a pas communiqué",
    open: (amount, reason) =>
      `Le titulaire de la carte conteste ${amount}${reason} : le service retient ce montant jusqu’à la décision.`,
    deadline: (date) =>
      `Envoyez vos justificatifs dans le tableau de bord du service avant le ${date} ; à défaut, le montant est perdu.`,
    tooLate: (date) =>
      `Le délai pour les justificatifs a expiré le ${date} et le service va décider. Ne remboursez pas ce paiement entre-temps : l’argent pourrait partir deux fois.`,
    noDeadline: "Répondez dans le tableau de bord du service ; aucun délai n’a été communiqué.",
    closed: {
      won: (amount) => `Vous avez gagné la contestation de ${amount} : la boutique conserve ce montant.`,
      lost: (amount) =>
        `Vous avez perdu la contestation de ${amount} : le service a restitué ce montant au titulaire de la carte. Ne le remboursez pas une seconde fois.`,
      unknown: (amount) =>
        `La contestation de ${amount} est close ; le service n’en a pas communiqué l’issue. Vérifiez ce montant dans son tableau de bord.`,
    },
    reasons: {
      product_not_received: "produit non reçu",
      product_unacceptable: "produit non conforme",
      fraudulent: "paiement non reconnu",
      duplicate: "débité deux fois",
      credit_not_processed: "remboursement non reçu",
      subscription_canceled: "abonnement résilié",
    },
  },
};
