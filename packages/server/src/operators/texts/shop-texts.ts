import type { Language } from "@tillkit/core";
import type { StoreState } from "../../store-state.ts";

/** What an operator does with a shop that its owner connected. */
export type ShopAct = "approve" | "suspend" | "resume" | "remove";

export type ShopTexts = {
  readonly lead: string;
  readonly states: Readonly<Record<StoreState, string>>;
  readonly acts: Readonly<Record<ShopAct, string>>;
  readonly removeHint: string;
  readonly confirmRemove: string;
  readonly plugin: string;
  readonly lastWebhook: string;
  readonly noWebhook: string;
  readonly stopped: (jobs: number) => string;
  readonly refuses: string;
  readonly invite: string;
  readonly inviteHint: string;
  readonly invited: string;
  readonly invitedNext: (serverUrl: string) => string;
  readonly testOnly: string;
  readonly openInvitations: (count: number) => string;
  readonly validUntil: string;
  readonly usedBy: (address: string) => string;
  readonly withdraw: string;
  readonly codeGone: string;
  readonly none: string;
  readonly noneNext: (serverUrl: string) => string;
  readonly changed: string;
};

const english: ShopTexts = {
  lead: "The shops that their owners connected. An owner sees the pages of their own shop only.",
  states: {
    waiting: "waits for approval",
    connected: "connected",
    suspended: "suspended",
    leaving: "leaving: payments are being finished",
    left: "left",
  },
  acts: { approve: "Approve", suspend: "Suspend", resume: "Resume", remove: "Remove" },
  removeHint:
    "The shop takes no more payments. Its keys are wiped as soon as its payments are finished; the payments stay in this ledger.",
  confirmRemove: "Remove this shop",
  plugin: "Plug-in",
  lastWebhook: "Last webhook",
  noWebhook: "none among the newest",
  stopped: (jobs) => (jobs === 1 ? "1 stopped job" : `${jobs} stopped jobs`),
  refuses: "refuses this server",
  invite: "Create an invitation code",
  inviteHint: "A code connects one shop within 30 days. Send it to the owner; this server cannot show it again.",
  invited: "The invitation code, shown this once:",
  invitedNext: (serverUrl) =>
    `For its owner: install Tillkit in your shop. In its settings, save the checkout server address ${serverUrl} and press “Connect with the checkout server”. There, enter this code and your test key of the payment service.`,
  testOnly: "test key only",
  openInvitations: (count) => (count === 1 ? "1 code waits for its shop." : `${count} codes wait for their shops.`),
  validUntil: "valid until",
  usedBy: (address) => `Entered for ${address}, which is not connected yet.`,
  withdraw: "Withdraw this code",
  codeGone: "This code has connected its shop, or was withdrawn or has expired meanwhile.",
  none: "No shop is connected yet.",
  noneNext: (serverUrl) =>
    `An owner connects one in the settings of Tillkit in the shop, with the checkout server address ${serverUrl}.`,
  changed: "The shop had changed meanwhile. This is its present state.",
};

const french: ShopTexts = {
  lead: "Les boutiques que leurs propriétaires ont connectées. Un propriétaire ne voit que les pages de sa boutique.",
  states: {
    waiting: "attend l’approbation",
    connected: "connectée",
    suspended: "suspendue",
    leaving: "en départ : des paiements se terminent",
    left: "partie",
  },
  acts: { approve: "Approuver", suspend: "Suspendre", resume: "Rétablir", remove: "Retirer" },
  removeHint:
    "La boutique n’encaisse plus. Ses clés sont effacées dès que ses paiements sont terminés ; les paiements restent dans ce registre.",
  confirmRemove: "Retirer cette boutique",
  plugin: "Extension",
  lastWebhook: "Dernier webhook",
  noWebhook: "aucun parmi les plus récents",
  stopped: (jobs) => (jobs === 1 ? "1 tâche arrêtée" : `${jobs} tâches arrêtées`),
  refuses: "refuse ce serveur",
  invite: "Créer un code d’invitation",
  inviteHint:
    "Un code connecte une boutique dans les 30 jours. Envoyez-le au propriétaire ; ce serveur ne peut pas le montrer à nouveau.",
  invited: "Le code d’invitation, montré cette seule fois :",
  invitedNext: (serverUrl) =>
    `Pour le propriétaire : installez Tillkit dans votre boutique. Dans ses réglages, enregistrez l’adresse du serveur Tillkit ${serverUrl}, puis appuyez sur « Connecter au serveur Tillkit ». Saisissez-y ce code et votre clé de test du service de paiement.`,
  testOnly: "clé de test seulement",
  openInvitations: (count) =>
    count === 1 ? "1 code attend sa boutique." : `${count} codes attendent leurs boutiques.`,
  validUntil: "valable jusqu’au",
  usedBy: (address) => `Saisi pour ${address}, qui n’est pas encore connectée.`,
  withdraw: "Annuler ce code",
  codeGone: "Entre-temps ce code a connecté sa boutique, a été annulé ou a expiré.",
  none: "Aucune boutique n’est encore connectée.",
  noneNext: (serverUrl) =>
    `Un propriétaire connecte la sienne dans les réglages de Tillkit de sa boutique, avec l’adresse du serveur Tillkit ${serverUrl}.`,
  changed: "La boutique avait changé entre-temps. Voici son état actuel.",
};

export const shopTexts: Readonly<Record<Language, ShopTexts>> = { en: english, fr: french };
