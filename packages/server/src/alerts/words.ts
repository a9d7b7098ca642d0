import type { Language } from "@tillkit/core";
import type { AlertKind } from "./happenings.ts";

type AlertWords = {
  readonly lead: string;
  readonly kinds: Readonly<Record<AlertKind, (count: number) => string>>;
  readonly inAll: (count: number, whole: boolean) => string;
  readonly dueBy: (at: string) => string;
  readonly close: string;
  readonly noPage: string;
};

const english: AlertWords = {
  lead: "Somebody has to look at this.",
  kinds: {
    held: (count) => (count === 1 ? "1 payment is held" : `${count} payments are held`),
    duplicate: (count) => (count === 1 ? "1 order was paid twice" : `${count} orders were paid twice`),
    dispute: (count) => (count === 1 ? "1 payment is disputed" : `${count} payments are disputed`),
    dispute_due: (count) =>
      count === 1
        ? "1 dispute needs its evidence within 48 hours"
        : `${count} disputes need their evidence within 48 hours`,
    orphan: (count) => (count === 1 ? "1 event without a payment" : `${count} events without a payment`),
    parked: (count) => (count === 1 ? "1 piece of work is parked" : `${count} pieces of work are parked`),
    failing: (count) => (count === 1 ? "1 piece of work keeps failing" : `${count} pieces of work keep failing`),
    down: (count) => (count === 1 ? "1 shop or service does not answer" : `${count} shops or services do not answer`),
  },
  inAll: (count, whole) => `(${whole ? count : `more than ${count}`} in all)`,
  dueBy: (at) => `evidence can be sent until ${at} (the first of them)`,
  close: "The pages say for each what happened and what to do.",
  noPage: "The operators’ pages of this server are not turned on; tillkit explain tells what happened.",
};

const french: AlertWords = {
  lead: "Quelqu’un doit regarder.",
  kinds: {
    held: (count) => (count === 1 ? "1 paiement est retenu" : `${count} paiements sont retenus`),
    duplicate: (count) =>
      count === 1 ? "1 commande a été payée deux fois" : `${count} commandes ont été payées deux fois`,
    dispute: (count) => (count === 1 ? "1 paiement est contesté" : `${count} paiements sont contestés`),
    dispute_due: (count) =>
      count === 1
        ? "1 contestation attend ses preuves sous 48 heures"
        : `${count} contestations attendent leurs preuves sous 48 heures`,
    orphan: (count) => (count === 1 ? "1 événement sans paiement" : `${count} événements sans paiement`),
    parked: (count) => (count === 1 ? "1 travail est en suspens" : `${count} travaux sont en suspens`),
    failing: (count) => (count === 1 ? "1 travail échoue sans cesse" : `${count} travaux échouent sans cesse`),
    down: (count) =>
      count === 1 ? "1 boutique ou service ne répond pas" : `${count} boutiques ou services ne répondent pas`,
  },
  inAll: (count, whole) => `(${whole ? count : `plus de ${count}`} en tout)`,
  dueBy: (at) => `preuves à envoyer avant le ${at} (la première)`,
  close: "Les pages disent pour chacun ce qui s’est passé et quoi faire.",
  noPage: "Les pages d’administration de ce serveur ne sont pas activées ; tillkit explain dit ce qui s’est passé.",
};

export const ALERT_WORDS: Readonly<Record<Language, AlertWords>> = { en: english, fr: french };
