import type { Language } from "@tillkit/core";

export const EXPORT_KINDS = ["payments", "refunds", "disputes", "settlement"] as const;

export type ExportKind = (typeof EXPORT_KINDS)[number];

export type ExportTexts = {
  /** The label of the choice between the kinds. */
  readonly what: string;
  readonly kinds: Readonly<Record<ExportKind, string>>;
  readonly format: string;
  readonly plain: string;
  readonly excel: string;
  readonly settlement: string;
  readonly settlementLead: string;
  readonly show: string;
  readonly tooMany: (most: string) => string;
  readonly nothing: string;
  readonly unavailable: string;
  /** The heading of the column with the names of the rows. */
  readonly side: string;
  readonly ours: string;
  readonly service: string;
  readonly difference: string;
  readonly gross: string;
  readonly fees: string;
  readonly refunds: string;
  readonly disputed: string;
  readonly net: string;
  readonly equal: string;
  readonly differs: string;
  readonly compared: (compared: string, all: string) => string;
};

const english: ExportTexts = {
  what: "What",
  kinds: { payments: "Payments", refunds: "Refunds", disputes: "Disputes", settlement: "Settlement by day" },
  format: "Opened with",
  plain: "Any program",
  excel: "Excel",
  settlement: "Settlement",
  settlementLead:
    "The payments that began in this period, with their refunds and disputes to this day, next to the service’s own figures.",
  show: "Show the settlement",
  tooMany: (most) =>
    `More than ${most} payments: choose a shorter period or one shop, or download the settlement by day as a CSV file.`,
  nothing: "No payment was received in this period.",
  unavailable: "The payment service does not answer. Try again in a minute.",
  side: "Figures",
  ours: "This ledger",
  service: "The service",
  difference: "Difference",
  gross: "Paid",
  fees: "Fees",
  refunds: "Refunds",
  disputed: "Disputed, open or lost",
  net: "Net",
  equal: "The figures are equal.",
  differs: "The figures differ. Look for payments whose refund is in progress, or whose amount was changed.",
  compared: (compared, all) =>
    `${compared} of ${all} payment${all === "1" ? "" : "s"}: those that the service reports with all amounts.`,
};

/** In French, 0 and 1 are singular. */
const isOne = (count: string) => count === "0" || count === "1";

const french: ExportTexts = {
  what: "Contenu",
  kinds: {
    payments: "Paiements",
    refunds: "Remboursements",
    disputes: "Contestations",
    settlement: "Rapprochement par jour",
  },
  format: "À ouvrir avec",
  plain: "Tout logiciel",
  excel: "Excel",
  settlement: "Rapprochement",
  settlementLead:
    "Les paiements commencés dans cette période, avec leurs remboursements et contestations à ce jour, à côté des chiffres du service.",
  show: "Afficher le rapprochement",
  tooMany: (most) =>
    `Plus de ${most} paiements : choisissez une période plus courte ou une boutique, ou téléchargez le rapprochement par jour en CSV.`,
  nothing: "Aucun paiement n’a été reçu dans cette période.",
  unavailable: "Le service de paiement ne répond pas. Réessayez dans une minute.",
  side: "Chiffres",
  ours: "Ce registre",
  service: "Le service",
  difference: "Écart",
  gross: "Payé",
  fees: "Frais",
  refunds: "Remboursé",
  disputed: "Contesté, en cours ou perdu",
  net: "Net",
  equal: "Les chiffres concordent.",
  differs: "Les chiffres diffèrent. Cherchez un remboursement en cours ou un montant modifié.",
  compared: (compared, all) =>
    isOne(compared)
      ? `${compared} paiement sur ${all} : celui que le service rapporte avec tous ses montants.`
      : `${compared} paiements sur ${all} : ceux que le service rapporte avec tous leurs montants.`,
};

export const exportTexts: Readonly<Record<Language, ExportTexts>> = { en: english, fr: french };
