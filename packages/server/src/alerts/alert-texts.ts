import type { Language } from "@tillkit/core";
import type { AlertKind } from "./active-alerts.ts";

type AlertTexts = {
  readonly lead: string;
  readonly kinds: Readonly<Record<AlertKind, (count: number) => string>>;
  readonly total: (count: number, isComplete: boolean) => string;
  readonly dueBy: (at: string) => string;
  readonly closing: string;
  readonly noPages: string;
};

const english: AlertTexts = {
  lead: "The following needs your attention.",
  kinds: {
    held: (count) => (count === 1 ? "1 payment is held" : `${count} payments are held`),
    duplicate: (count) => (count === 1 ? "1 order was paid twice" : `${count} orders were paid twice`),
    dispute: (count) => (count === 1 ? "1 payment is disputed" : `${count} payments are disputed`),
    dispute_due: (count) =>
      count === 1
        ? "1 dispute needs its evidence within 48 hours"
        : `${count} disputes need their evidence within 48 hours`,
    shortfall: (count) =>
      count === 1 ? "more money left 1 payment than arrived" : `more money left ${count} payments than arrived`,
    surplus: (count) =>
      count === 1
        ? "1 payment page received more than one payment"
        : `${count} payment pages received more than one payment`,
    transaction_unknown: (count) =>
      count === 1
        ? "1 refund waits until a person chooses its transaction"
        : `${count} refunds wait until a person chooses their transaction`,
    orphan: (count) => (count === 1 ? "1 event without a payment" : `${count} events without a payment`),
    dead_letter: (count) => (count === 1 ? "1 job stopped" : `${count} jobs stopped`),
    failing: (count) => (count === 1 ? "1 job keeps failing" : `${count} jobs keep failing`),
    unclaimed: (count) =>
      count === 1
        ? "Jobs of 1 kind have been due for ten minutes, and no server does them: update or start a server"
        : `Jobs of ${count} kinds have been due for ten minutes, and no server does them: update or start a server`,
    outage: (count) => (count === 1 ? "1 shop or service does not answer" : `${count} shops or services do not answer`),
    refusing: (count) =>
      count === 1
        ? "1 shop refuses this server: its plug-in is off, a firewall blocks it, or its connection must be renewed"
        : `${count} shops refuse this server: their plug-ins are off, a firewall blocks it, or their connections must be renewed`,
    answering: (count) =>
      count === 1
        ? "1 shop that refused this server answers again"
        : `${count} shops that refused this server answer again`,
    warning: (count) =>
      count === 1
        ? "1 warning of this server, which /readyz shows"
        : `${count} warnings of this server, which /readyz shows`,
  },
  total: (count, isComplete) => `(${isComplete ? count : `more than ${count}`} in total)`,
  dueBy: (at) => `first deadline for evidence: ${at}`,
  closing: "The operators’ pages show the details of each and what to do.",
  noPages: "The operators’ pages of this server are turned off. Use the command tillkit explain for the details.",
};

const french: AlertTexts = {
  lead: "Ceci demande votre attention.",
  kinds: {
    held: (count) => (count === 1 ? "1 paiement est retenu" : `${count} paiements sont retenus`),
    duplicate: (count) =>
      count === 1 ? "1 commande a été payée deux fois" : `${count} commandes ont été payées deux fois`,
    dispute: (count) => (count === 1 ? "1 paiement est contesté" : `${count} paiements sont contestés`),
    dispute_due: (count) =>
      count === 1
        ? "1 contestation attend ses justificatifs sous 48 heures"
        : `${count} contestations attendent leurs justificatifs sous 48 heures`,
    shortfall: (count) =>
      count === 1
        ? "il est sorti d’un paiement plus d’argent qu’il n’en est arrivé"
        : `il est sorti de ${count} paiements plus d’argent qu’il n’en est arrivé`,
    surplus: (count) =>
      count === 1
        ? "1 page de paiement a reçu plusieurs paiements"
        : `${count} pages de paiement ont reçu plusieurs paiements`,
    transaction_unknown: (count) =>
      count === 1
        ? "1 remboursement attend qu’une personne choisisse sa transaction"
        : `${count} remboursements attendent qu’une personne choisisse leur transaction`,
    orphan: (count) => (count === 1 ? "1 événement sans paiement" : `${count} événements sans paiement`),
    dead_letter: (count) => (count === 1 ? "1 tâche s’est arrêtée" : `${count} tâches se sont arrêtées`),
    failing: (count) => (count === 1 ? "1 tâche échoue à répétition" : `${count} tâches échouent à répétition`),
    unclaimed: (count) =>
      count === 1
        ? "Des tâches d’un type attendent depuis dix minutes, et aucun serveur ne les fait : mettez à jour ou démarrez un serveur"
        : `Des tâches de ${count} types attendent depuis dix minutes, et aucun serveur ne les fait : mettez à jour ou démarrez un serveur`,
    outage: (count) =>
      count === 1 ? "1 boutique ou service ne répond pas" : `${count} boutiques ou services ne répondent pas`,
    refusing: (count) =>
      count === 1
        ? "1 boutique refuse ce serveur : son extension est désactivée, un pare-feu le bloque, ou sa connexion est à renouveler"
        : `${count} boutiques refusent ce serveur : leur extension est désactivée, un pare-feu le bloque, ou leur connexion est à renouveler`,
    answering: (count) =>
      count === 1
        ? "1 boutique qui refusait ce serveur répond de nouveau"
        : `${count} boutiques qui refusaient ce serveur répondent de nouveau`,
    warning: (count) =>
      count === 1
        ? "1 avertissement de ce serveur, affiché par /readyz"
        : `${count} avertissements de ce serveur, affichés par /readyz`,
  },
  total: (count, isComplete) => `(${isComplete ? count : `plus de ${count}`} au total)`,
  dueBy: (at) => `première date limite pour les justificatifs : ${at}`,
  closing: "Les pages d’administration donnent le détail de chaque cas et la marche à suivre.",
  noPages: "Les pages d’administration de ce serveur sont désactivées. La commande tillkit explain donne le détail.",
};

export const ALERT_TEXTS: Readonly<Record<Language, AlertTexts>> = { en: english, fr: french };
