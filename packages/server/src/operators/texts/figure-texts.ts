import type { Language } from "@tillkit/core";

export const PERIODS = ["24h", "7d", "30d", "90d"] as const;

export type Period = (typeof PERIODS)[number];

export type FigureTexts = {
  readonly heading: string;
  readonly today: string;
  /** A number of yesterday, up to the same time of day. */
  readonly yesterday: (value: string) => string;
  readonly noneYesterday: string;
  readonly noneYet: string;
  readonly waiting: string;
  readonly waitingHint: string;
  readonly periods: Readonly<Record<Period, string>>;
  readonly store: string;
  readonly allStores: string;
  /** In a field for the id of a shop. */
  readonly allStoresOrId: string;
  readonly show: string;
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
  /** The time within which half of the payments or webhooks are done, and the time that 1 of 20 takes longer than. */
  readonly usually: (time: string) => string;
  readonly slowest: (time: string) => string;
  /** Jobs that are retried and have failed for several minutes. */
  readonly failing: string;
  readonly notMeasured: string;
  readonly refunds: string;
  readonly noRefunds: string;
  readonly refundsHint: string;
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
  heading: "Period",
  today: "Today",
  yesterday: (value) => `yesterday by this time: ${value}`,
  noneYesterday: "yesterday by this time: nothing",
  noneYet: "nothing yet",
  waiting: "Needs your attention",
  waitingHint: "payments, disputes, jobs",
  periods: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
  store: "Shop",
  allStores: "All shops",
  allStoresOrId: "All shops, or type an id",
  show: "Show",
  received: "Received",
  left: "Left",
  paid: "Payments paid",
  compared: (change) => `${change} on the period before`,
  noneBefore: "none in the period before",
  ofStarted: (count) => `of ${count} started`,
  successRate: "Success rate",
  successHint: "of payments that ended",
  toOrder: "From payment to order",
  toOrderHint: "of the newest 1,000 of 7 days",
  webhookDelay: "Webhook delay",
  webhookHint: "of the newest 1,000 of 7 days",
  usually: (time) => `usually ${time}`,
  slowest: (time) => `1 in 20 takes longer than ${time}`,
  failing: "Jobs that keep failing",
  notMeasured: "nothing to measure yet",
  refunds: "Refunds",
  noRefunds: "none",
  refundsHint: "requested in this period and made",
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
  heading: "Période",
  today: "Aujourd’hui",
  yesterday: (value) => `hier à la même heure : ${value}`,
  noneYesterday: "hier à la même heure : rien",
  noneYet: "rien pour l’instant",
  waiting: "À traiter",
  waitingHint: "paiements, contestations, tâches",
  periods: { "24h": "24 h", "7d": "7 jours", "30d": "30 jours", "90d": "90 jours" },
  store: "Boutique",
  allStores: "Toutes les boutiques",
  allStoresOrId: "Toutes, ou un identifiant",
  show: "Afficher",
  received: "Reçu",
  left: "Reste",
  paid: "Paiements aboutis",
  compared: (change) => `${change} sur la période précédente`,
  noneBefore: "rien sur la période précédente",
  ofStarted: (count) => `sur ${count} commencés`,
  successRate: "Taux de réussite",
  successHint: "des paiements terminés",
  toOrder: "Du paiement à la commande",
  toOrderHint: "sur les 1\u202f000 derniers de 7 jours",
  webhookDelay: "Délai des webhooks",
  webhookHint: "sur les 1\u202f000 derniers de 7 jours",
  usually: (time) => `en général ${time}`,
  slowest: (time) => `1 sur 20 prend plus de ${time}`,
  failing: "Tâches qui échouent encore",
  notMeasured: "rien à mesurer pour l’instant",
  refunds: "Remboursements",
  noRefunds: "aucun",
  refundsHint: "demandés sur la période et effectués",
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
