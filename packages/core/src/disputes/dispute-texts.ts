import { type Dispute, isOpenDispute } from "../domain/dispute.ts";
import { formatMoney, type Language } from "../domain/money.ts";

/** Explains a dispute and its effect on the money in sentences without personal data. */
export function explainDispute(dispute: DisputeFacts, language: Language): string {
  const texts = TEXTS[language];
  const { amount, reason, outcome, evidenceDueBy } = dispute;
  const money = amount === null ? texts.noAmount : formatMoney(amount, language);
  const about = reason === "" ? "" : ` (${texts.reasons[reason] ?? reason})`;
  if (!isOpenDispute(dispute)) return texts.over[outcome ?? "unknown"](money);
  const due = evidenceDueBy === null ? texts.noDeadline : texts.deadline(dateText(evidenceDueBy, language));
  return `${texts.open(money, about)} ${due}`;
}

/** The detail of a dispute's timeline entry. */
export function disputeDetail({ amount, reason, status, outcome, evidenceDueBy }: Dispute): string {
  return JSON.stringify({ amount, reason, status, outcome, evidenceDueBy } satisfies DisputeFacts);
}

/** The sentence of a dispute's timeline entry; `fallback` where the event named no dispute id and the entry holds no facts. */
export function explainDisputeEntry(detail: string, language: Language, fallback: string): string {
  return detail.startsWith("{") ? explainDispute(JSON.parse(detail) as DisputeFacts, language) : fallback;
}

type DisputeFacts = Pick<Dispute, "amount" | "reason" | "status" | "outcome" | "evidenceDueBy">;

type DisputeTexts = {
  readonly noAmount: string;
  readonly open: (money: string, about: string) => string;
  readonly deadline: (date: string) => string;
  readonly noDeadline: string;
  readonly over: Readonly<Record<"won" | "lost" | "unknown", (money: string) => string>>;
  readonly reasons: Readonly<Record<string, string>>;
};

const TEXTS: Readonly<Record<Language, DisputeTexts>> = {
  en: {
    noAmount: "an amount that the service did not report",
    open: (money, about) =>
      `The cardholder disputes ${money}${about}: the service holds this amount until the dispute is decided.`,
    deadline: (date) => `Send evidence in the service’s dashboard by ${date}; without it the amount is lost.`,
    noDeadline: "Respond in the service’s dashboard; the service reported no deadline.",
    over: {
      won: (money) => `You won the dispute about ${money}: the shop keeps the money.`,
      lost: (money) =>
        `You lost the dispute about ${money}: the service returned this amount to the cardholder. Do not refund it as well.`,
      unknown: (money) =>
        `The dispute about ${money} is closed; the service did not report the outcome. Check its dashboard for the money.`,
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
    open: (money, about) =>
      `Le titulaire de la carte conteste ${money}${about} : le service retient ce montant jusqu’à la décision.`,
    deadline: (date) =>
      `Envoyez vos justificatifs dans le tableau de bord du service avant le ${date} ; à défaut, le montant est perdu.`,
    noDeadline: "Répondez dans le tableau de bord du service ; aucun délai n’a été communiqué.",
    over: {
      won: (money) => `Vous avez gagné la contestation de ${money} : la boutique conserve ce montant.`,
      lost: (money) =>
        `Vous avez perdu la contestation de ${money} : le service a restitué ce montant au titulaire de la carte. Ne le remboursez pas une seconde fois.`,
      unknown: (money) =>
        `La contestation de ${money} est close ; le service n’en a pas communiqué l’issue. Vérifiez ce montant dans son tableau de bord.`,
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

// The text names UTC, because the time zone of the reader is unknown.
function dateText(at: number, language: Language): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", format).format(at)} UTC`;
}
