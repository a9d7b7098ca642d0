import { type Dispute, isOpenDispute } from "../domain/dispute.ts";
import { formatMoney, type Language } from "../domain/money.ts";

/** What a dispute is and what it means for the money, in plain sentences without personal data. */
export function explainDispute(dispute: Pick<Dispute, keyof Told>, language: Language): string {
  const words = WORDS[language];
  const { amount, reason, outcome, evidenceDueBy } = dispute;
  const money = amount === null ? words.noAmount : formatMoney(amount, language);
  const about = reason === "" ? "" : ` (${words.reasons[reason] ?? reason})`;
  if (!isOpenDispute(dispute)) return words.over[outcome ?? "unknown"](money);
  const due = evidenceDueBy === null ? words.noDeadline : words.deadline(dayText(evidenceDueBy, language));
  return `${words.open(money, about)} ${due}`;
}

/** The detail of a dispute's line of the story. */
export function disputeDetail({ amount, reason, status, outcome, evidenceDueBy }: Dispute): string {
  return JSON.stringify({ amount, reason, status, outcome, evidenceDueBy } satisfies Told);
}

/** The sentence of a dispute's line; `otherwise` for lines that older versions wrote, which name no amount. */
export function tellDisputeLine(detail: string, language: Language, otherwise: string): string {
  return detail.startsWith("{") ? explainDispute(JSON.parse(detail) as Told, language) : otherwise;
}

type Told = Pick<Dispute, "amount" | "reason" | "status" | "outcome" | "evidenceDueBy">;

type Words = {
  readonly noAmount: string;
  readonly open: (money: string, about: string) => string;
  readonly deadline: (day: string) => string;
  readonly noDeadline: string;
  readonly over: Readonly<Record<"won" | "lost" | "unknown", (money: string) => string>>;
  readonly reasons: Readonly<Record<string, string>>;
};

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    noAmount: "an amount that the service did not name",
    open: (money, about) =>
      `The card’s holder disputes ${money}${about}: the service holds this amount until the dispute is decided.`,
    deadline: (day) => `Send evidence in the service’s dashboard by ${day}; without it the amount is lost.`,
    noDeadline: "Answer in the service’s dashboard; the service named no deadline.",
    over: {
      won: (money) => `The dispute about ${money} is over, and it was won: the money stays with the shop.`,
      lost: (money) =>
        `The dispute about ${money} is over, and it was lost: the service took this amount back for the card’s holder. Do not refund it as well.`,
      unknown: (money) =>
        `The dispute about ${money} is over; the service did not say who won. See in its dashboard where the money is.`,
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
    noAmount: "un montant que le service n’a pas précisé",
    open: (money, about) =>
      `Le titulaire de la carte conteste ${money}${about} : le service retient ce montant jusqu’à la décision.`,
    deadline: (day) =>
      `Envoyez vos preuves dans le tableau de bord du service avant le ${day} ; sans elles, le montant est perdu.`,
    noDeadline: "Répondez dans le tableau de bord du service ; il n’a pas précisé de délai.",
    over: {
      won: (money) => `La contestation de ${money} est close et gagnée : l’argent reste à la boutique.`,
      lost: (money) =>
        `La contestation de ${money} est close et perdue : le service a repris ce montant pour le titulaire de la carte. Ne le remboursez pas en plus.`,
      unknown: (money) =>
        `La contestation de ${money} est close ; le service n’a pas dit qui a gagné. Voyez dans son tableau de bord où est l’argent.`,
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

// Universal time, named as such: the deadline is the service's, wherever the reader sits.
function dayText(at: number, language: Language): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", format).format(at)} UTC`;
}
