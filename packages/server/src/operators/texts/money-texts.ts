import type { Language } from "@tillkit/core";
import type { MovementEvidence } from "@tillkit/core/ledger";

/** Where the money of a payment is, and which transactions brought it. */
export type MoneyTexts = {
  readonly heading: string;
  readonly arrived: string;
  readonly returned: string;
  readonly leaving: string;
  readonly disputed: string;
  readonly available: string;
  readonly shortfall: string;
  readonly shortfallHint: string;
  readonly transactions: string;
  readonly evidence: Readonly<Record<MovementEvidence, string>>;
  readonly namedBy: (name: string) => string;
  readonly candidateHint: string;
  readonly surplus: (amount: string) => string;
  readonly refundSurplus: string;
  readonly notNamed: string;
  /** The link to the page on which a person names the transaction. */
  readonly nameLink: string;
};

const english: MoneyTexts = {
  heading: "Money",
  arrived: "Arrived",
  returned: "Returned",
  leaving: "On its way back",
  disputed: "Disputed, open or lost",
  available: "Available",
  shortfall: "Shortfall",
  shortfallHint:
    "More money left than arrived: a refund and a dispute both took it. Answer the dispute in the service’s dashboard, and name the refund as evidence.",
  transactions: "Transactions",
  evidence: {
    identity: "Certain: the service names it",
    person: "Chosen by a person",
    resemblance: "Candidate: only resembles",
  },
  namedBy: (name) => `Chosen by ${name}.`,
  candidateHint: "Amount and time fit, but the service does not say that it paid this order. It moves no money.",
  surplus: (amount) =>
    `The payment page received more than one payment. ${amount} of this transaction belong to the customer.`,
  refundSurplus: "Refund this transaction …",
  notNamed: "The service has not named the transaction that paid. Before the first refund it is looked for again.",
  nameLink: "Choose the transaction …",
};

const french: MoneyTexts = {
  heading: "Argent",
  arrived: "Reçu",
  returned: "Remboursé",
  leaving: "En cours de remboursement",
  disputed: "Contesté, en cours ou perdu",
  available: "Disponible",
  shortfall: "Manque",
  shortfallHint:
    "Il est sorti plus d’argent qu’il n’en est arrivé : un remboursement et une contestation l’ont pris tous deux. Répondez à la contestation dans le tableau de bord du service, avec le remboursement comme justificatif.",
  transactions: "Transactions",
  evidence: {
    identity: "Certaine : nommée par le service",
    person: "Choisie par une personne",
    resemblance: "Possible : simple ressemblance",
  },
  namedBy: (name) => `Choisie par ${name}.`,
  candidateHint:
    "Le montant et l’heure concordent, mais le service ne dit pas qu’elle a payé cette commande. Elle n’entraîne aucun mouvement d’argent.",
  surplus: (amount) =>
    `La page de paiement a reçu plusieurs paiements. De cette transaction, ${amount} appartiennent au client.`,
  refundSurplus: "Rembourser cette transaction …",
  notNamed:
    "Le service n’a pas nommé la transaction qui a payé. Avant le premier remboursement, elle est cherchée de nouveau.",
  nameLink: "Choisir la transaction …",
};

export const moneyTexts: Readonly<Record<Language, MoneyTexts>> = { en: english, fr: french };
