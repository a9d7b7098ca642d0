import type { Language } from "@tillkit/core";
import type { AlertKind } from "./happenings.ts";

type AlertWords = {
  readonly lead: string;
  readonly kinds: Readonly<Record<AlertKind, (count: number) => string>>;
  readonly inAll: (count: number, whole: boolean) => string;
  readonly close: string;
  readonly noPage: string;
};

const english: AlertWords = {
  lead: "Somebody has to look at this. No payment is lost by waiting.",
  kinds: {
    held: (count) => (count === 1 ? "1 payment is held" : `${count} payments are held`),
    duplicate: (count) => (count === 1 ? "1 order was paid twice" : `${count} orders were paid twice`),
    orphan: (count) => (count === 1 ? "1 event without a payment" : `${count} events without a payment`),
    parked: (count) => (count === 1 ? "1 piece of work is parked" : `${count} pieces of work are parked`),
    failing: (count) => (count === 1 ? "1 piece of work keeps failing" : `${count} pieces of work keep failing`),
    down: (count) => (count === 1 ? "1 shop or service does not answer" : `${count} shops or services do not answer`),
  },
  inAll: (count, whole) => `(${whole ? count : `more than ${count}`} in all)`,
  close: "The pages say for each what happened and what to do.",
  noPage: "The operators’ pages of this server are not turned on; tillkit explain tells what happened.",
};

const french: AlertWords = {
  lead: "Quelqu’un doit regarder. Aucun paiement ne se perd en attendant.",
  kinds: {
    held: (count) => (count === 1 ? "1 paiement est retenu" : `${count} paiements sont retenus`),
    duplicate: (count) =>
      count === 1 ? "1 commande a été payée deux fois" : `${count} commandes ont été payées deux fois`,
    orphan: (count) => (count === 1 ? "1 événement sans paiement" : `${count} événements sans paiement`),
    parked: (count) => (count === 1 ? "1 travail est en suspens" : `${count} travaux sont en suspens`),
    failing: (count) => (count === 1 ? "1 travail échoue sans cesse" : `${count} travaux échouent sans cesse`),
    down: (count) =>
      count === 1 ? "1 boutique ou service ne répond pas" : `${count} boutiques ou services ne répondent pas`,
  },
  inAll: (count, whole) => `(${whole ? count : `plus de ${count}`} en tout)`,
  close: "Les pages disent pour chacun ce qui s’est passé et quoi faire.",
  noPage: "Les pages d’administration de ce serveur ne sont pas activées ; tillkit explain dit ce qui s’est passé.",
};

export const ALERT_WORDS: Readonly<Record<Language, AlertWords>> = { en: english, fr: french };
