import type { Language } from "@tillkit/core";
import type { BridgedPlatform, PlatformWords } from "../platform.ts";
import type { ConnectProblem } from "./connect-shop.ts";

/** Texts of the page on which an owner connects a shop to a server that lists no shops. */
export type ConnectMessages = {
  readonly key: string;
  readonly keyHint: string;
  readonly firstKeyHint: string;
  readonly keepKeyHint: string;
  readonly invitation: string;
  readonly invitationHint: string;
  readonly approval: string;
  readonly again: (modes: string) => string;
  readonly suspended: string;
  readonly taken: string;
  readonly elsewhere: (address: string) => string;
  readonly moved: string;
  readonly copy: string;
  readonly modes: Readonly<Record<"test" | "live", string>>;
  readonly notPublic: string;
  readonly problems: Readonly<Record<ConnectProblem, string>>;
};

const english = (words: PlatformWords, place: string): ConnectMessages => ({
  key: "Secret key of the payment service",
  keyHint: "It begins with svc_sk_test_ or svc_sk_live_. It is stored encrypted and never shown again.",
  firstKeyHint:
    "Begin with a test key. For the live key you come back to this page with the button “Connect again” in the settings of Tillkit.",
  keepKeyHint: "Leave it empty to keep the key that is stored.",
  invitation: "Invitation code",
  invitationHint: "The operator of this server gave it to you.",
  approval: "Shoppers can pay after the operator of this server has approved the shop.",
  again: (modes) => `This shop is connected. Keys that are stored: ${modes}.`,
  suspended: "The operator of this server has suspended the shop. Only the operator can resume it.",
  taken: `This address is connected already, and this installation of ${words.backOffice} does not prove that it is the same shop. Enter the secret key with which it was connected. Without that key, ask the operator of this server.`,
  elsewhere: (address) => `This installation of ${words.backOffice} is connected at another address, ${address}.`,
  moved: "The shop has moved to this address. Enter the secret key with which it was connected.",
  copy: "This is a copy, for example for tests. Connect it as a shop of its own; the other shop is not touched.",
  modes: { test: "test", live: "live" },
  notPublic: "The address of the shop must begin with https:// and be one that everybody can reach.",
  problems: {
    invitation: "This invitation code is not valid, was used for another shop, or has expired. Ask for a new one.",
    keyMalformed: "Enter the secret key of the payment service, which begins with svc_sk_test_ or svc_sk_live_.",
    keyRefused: "The payment service refuses this key. Copy it again from its dashboard.",
    liveKeyNeeded: "This server takes live keys only: enter a key that begins with svc_sk_live_.",
    addressTaken:
      "This is not the key with which the shop was connected. Nothing has changed. Enter that key, or ask the operator of this server.",
    serviceFails:
      "The payment service does not answer, or refused to register the webhook. Try again in a few minutes.",
    refused: `This connection has expired or was already made. Open the settings of Tillkit in ${words.backOffice} and press the button again.`,
    unreachable: `The checkout server cannot reach the plugin at this address: ${words.activate}, let ${place} through every firewall, and use an address that is public and does not redirect.`,
    currency: `The shop’s currency cannot be paid in with this service. Set a supported currency in ${words.currencySettings}; update the plugin if it is old; then press the button again.`,
  },
});

const french = (words: PlatformWords, place: string): ConnectMessages => ({
  key: "Clé secrète du service de paiement",
  keyHint:
    "Elle commence par svc_sk_test_ ou svc_sk_live_. Elle est enregistrée chiffrée et n’est plus jamais affichée.",
  firstKeyHint:
    "Commencez par une clé de test. Pour la clé réelle, vous reviendrez à cette page par le bouton « Reconnecter » des réglages de Tillkit.",
  keepKeyHint: "Laissez vide pour garder la clé enregistrée.",
  invitation: "Code d’invitation",
  invitationHint: "L’exploitant de ce serveur vous l’a donné.",
  approval: "Les clients pourront payer quand l’exploitant de ce serveur aura approuvé la boutique.",
  again: (modes) => `Cette boutique est connectée. Clés enregistrées : ${modes}.`,
  suspended: "L’exploitant de ce serveur a suspendu la boutique. Lui seul peut la rétablir.",
  taken: `Cette adresse est déjà connectée, et cette installation de ${words.backOffice} ne prouve pas qu’elle est la même boutique. Saisissez la clé secrète avec laquelle elle a été connectée. Sans cette clé, adressez-vous à l’exploitant de ce serveur.`,
  elsewhere: (address) => `Cette installation de ${words.backOffice} est connectée à une autre adresse, ${address}.`,
  moved: "La boutique a déménagé à cette adresse. Saisissez la clé secrète avec laquelle elle a été connectée.",
  copy: "C’est une copie, par exemple pour des essais. Connectez-la comme une boutique à part ; l’autre reste intacte.",
  modes: { test: "test", live: "réelle" },
  notPublic: "L’adresse de la boutique doit commencer par https:// et être accessible à tous.",
  problems: {
    invitation:
      "Ce code d’invitation n’est pas valable, a servi à une autre boutique ou a expiré. Demandez-en un nouveau.",
    keyMalformed: "Saisissez la clé secrète du service de paiement, qui commence par svc_sk_test_ ou svc_sk_live_.",
    keyRefused: "Le service de paiement refuse cette clé. Copiez-la à nouveau depuis son tableau de bord.",
    liveKeyNeeded: "Ce serveur n’accepte que des clés réelles : saisissez une clé qui commence par svc_sk_live_.",
    addressTaken:
      "Ce n’est pas la clé avec laquelle la boutique a été connectée. Rien n’a changé. Saisissez cette clé, ou adressez-vous à l’exploitant de ce serveur.",
    serviceFails:
      "Le service de paiement ne répond pas, ou a refusé d’enregistrer la notification. Réessayez dans quelques minutes.",
    refused: `Cette connexion a expiré ou a déjà été faite. Ouvrez les réglages de Tillkit dans ${words.backOffice} et cliquez à nouveau sur le bouton.`,
    unreachable: `Le serveur Tillkit ne peut pas joindre l’extension à cette adresse : ${words.activate}, laissez passer ${place} dans tous les pare-feu, et utilisez une adresse publique qui ne redirige pas.`,
    currency: `La devise de la boutique ne peut pas être payée avec ce service. Choisissez une devise acceptée dans ${words.currencySettings} ; mettez l’extension à jour si elle est ancienne ; puis cliquez à nouveau sur le bouton.`,
  },
});

export function connectMessages(language: Language, { words, place }: BridgedPlatform): ConnectMessages {
  return (language === "fr" ? french : english)(words(language), place.name);
}
