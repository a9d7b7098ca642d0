import type { Language } from "@tillkit/core";

export const PERIODS = ["24h", "7d", "30d", "90d"] as const;

export type Period = (typeof PERIODS)[number];

export type FigureTexts = {
  readonly heading: string;
  readonly periods: Readonly<Record<Period, string>>;
  readonly store: string;
  readonly allStores: string;
  /** In a field for the id of a shop. */
  readonly allStoresOrId: string;
  readonly show: string;
  readonly live: string;
  readonly test: string;
  readonly received: string;
  /** What refunds and disputes left of it. */
  readonly left: string;
  readonly paid: string;
  readonly compared: (change: string) => string;
  readonly noneBefore: string;
  readonly ofStarted: (count: string) => string;
  readonly successRate: string;
  readonly successHint: string;
  readonly toOrder: string;
  readonly toOrderHint: string;
  readonly webhookDelay: string;
  readonly webhookHint: string;
  /** The time within which half of the payments or webhooks are done, and the time within which 95 % are done. */
  readonly halfAnd95: (half: string, most: string) => string;
  readonly notMeasured: string;
  /** The number of payments that are held now. */
  readonly holds: string;
  readonly refunds: string;
  readonly noRefunds: string;
  readonly receivedByDay: (currency: string) => string;
  readonly countByDay: string;
  readonly byMethod: string;
  readonly asTable: string;
  readonly when: string;
  readonly amount: string;
  readonly count: string;
  readonly started: string;
  readonly method: string;
  readonly rate: string;
  readonly nothing: string;
  readonly seconds: (count: string) => string;
  readonly minutes: (count: string) => string;
};

const english: FigureTexts = {
  heading: "Figures",
  periods: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
  store: "Shop",
  allStores: "All shops",
  allStoresOrId: "All shops, or type an id",
  show: "Show",
  live: "Live",
  test: "Test",
  received: "Received",
  left: "Left",
  paid: "Payments paid",
  compared: (change) => `${change} on the period before`,
  noneBefore: "none in the period before",
  ofStarted: (count) => `of ${count} started`,
  successRate: "Success rate",
  successHint: "of payments that ended",
  toOrder: "From payment to order",
  toOrderHint: "newest 1,000 payments",
  webhookDelay: "Webhook delay",
  webhookHint: "newest 1,000, all shops",
  halfAnd95: (half, most) => `half in ${half}, 95 % in ${most}`,
  notMeasured: "nothing to measure yet",
  holds: "Held now",
  refunds: "Refunds",
  noRefunds: "none",
  receivedByDay: (currency) => `Received, ${currency}`,
  countByDay: "Payments paid",
  byMethod: "Success by payment method",
  asTable: "As a table",
  when: "Begins",
  amount: "Amount",
  count: "Paid",
  started: "Started",
  method: "Paid by",
  rate: "Success",
  nothing: "No payment began in this period.",
  seconds: (count) => `${count}\u00a0s`,
  minutes: (count) => `${count}\u00a0min`,
};

const french: FigureTexts = {
  heading: "Chiffres",
  periods: { "24h": "24 heures", "7d": "7 jours", "30d": "30 jours", "90d": "90 jours" },
  store: "Boutique",
  allStores: "Toutes les boutiques",
  allStoresOrId: "Toutes, ou un identifiant",
  show: "Afficher",
  live: "Réel",
  test: "Test",
  received: "Reçu",
  left: "Reste",
  paid: "Paiements aboutis",
  compared: (change) => `${change} sur la période précédente`,
  noneBefore: "rien sur la période précédente",
  ofStarted: (count) => `sur ${count} commencés`,
  successRate: "Taux de réussite",
  successHint: "des paiements terminés",
  toOrder: "Du paiement à la commande",
  toOrderHint: "1 000 derniers paiements",
  webhookDelay: "Délai des webhooks",
  webhookHint: "1 000 derniers, toutes les boutiques",
  halfAnd95: (half, most) => `la moitié en ${half}, 95 % en ${most}`,
  notMeasured: "rien à mesurer encore",
  holds: "Retenus maintenant",
  refunds: "Remboursements",
  noRefunds: "aucun",
  receivedByDay: (currency) => `Reçu, ${currency}`,
  countByDay: "Paiements aboutis",
  byMethod: "Réussite par moyen de paiement",
  asTable: "En tableau",
  when: "Début",
  amount: "Montant",
  count: "Aboutis",
  started: "Commencés",
  method: "Payé par",
  rate: "Réussite",
  nothing: "Aucun paiement n’a commencé pendant cette période.",
  seconds: (count) => `${count}\u00a0s`,
  minutes: (count) => `${count}\u00a0min`,
};

export const figureTexts: Readonly<Record<Language, FigureTexts>> = { en: english, fr: french };
