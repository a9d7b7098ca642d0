import type { Language } from "@tillkit/core";
import type { BridgedPlatform, PlatformWords } from "../platform.ts";

/** Texts of the page that asks the owner of a shop before it is connected. */
export type PairingMessages = {
  readonly title: (shop: string) => string;
  readonly intro: (checkoutServer: string) => string;
  readonly allowed: string;
  readonly allowances: readonly string[];
  readonly denied: string;
  readonly denials: readonly string[];
  readonly changes: string;
  readonly changeList: readonly string[];
  readonly agree: string;
  readonly disagree: string;
  readonly startInShop: string;
  readonly problemTitle: string;
  readonly notConfigured: (shop: string) => string;
  readonly byConfiguration: string;
  readonly refused: string;
  readonly unreachable: (shop: string) => string;
  readonly serviceFails: string;
  readonly tooMany: string;
};

const english = (words: PlatformWords, place: string): PairingMessages => ({
  title: (shop) => `Connect ${shop}`,
  intro: (checkoutServer) => `The checkout server ${checkoutServer} will take payments for this shop.`,
  allowed: "It will be allowed to",
  allowances: [
    "read orders, with what was ordered and the name, e-mail address and phone number for the payment",
    "mark orders paid, put them on hold, and add notes to them",
    "record refunds that the payment service has made",
  ],
  denied: "It will not be able to",
  denials: [
    "read or change products, customers, coupons, settings or users",
    "delete an order or change what was ordered",
  ],
  changes: "If you agree",
  changeList: [
    "shop and checkout server get a new link secret. The one before it, if there is one, stays valid for payments in progress",
    "the checkout server registers its webhook at the payment service, unless it has one",
  ],
  agree: "Connect",
  disagree: "Back to the shop without connecting",
  startInShop: `Start in ${words.backOffice}: open ${words.settings}, enter the address of this checkout server, save, and press the button “Connect with the checkout server”.`,
  problemTitle: "The shop was not connected",
  notConfigured: (shop) =>
    `This checkout server has no shop with the address ${shop}: add it to stores in its configuration, exactly as ${words.backOffice} shows it, and restart it.`,
  byConfiguration:
    "The secrets of this shop are in the configuration of the checkout server: remove linkSecret and webhookSecrets there to connect it by this page.",
  refused: `This connection has expired or was already made. Open the settings of Tillkit in ${words.backOffice} and press the button again.`,
  unreachable: (shop) =>
    `The checkout server cannot reach the plugin at ${shop}: ${words.activate}, and let ${place} through every firewall and security plugin.`,
  serviceFails: `The payment service did not register the webhook. Check the API key of this shop in the configuration of the checkout server, then press the button in ${words.backOffice} again.`,
  tooMany: `Too many attempts from your address: wait ten minutes, then press the button in ${words.backOffice} again.`,
});

const french = (words: PlatformWords, place: string): PairingMessages => ({
  title: (shop) => `Connecter ${shop}`,
  intro: (checkoutServer) => `Le serveur Tillkit ${checkoutServer} encaissera les paiements de cette boutique.`,
  allowed: "Il pourra",
  allowances: [
    "lire les commandes, avec leur contenu et le nom, l’adresse e-mail et le numéro de téléphone nécessaires au paiement",
    "marquer les commandes payées, les mettre en attente et y ajouter des notes",
    "enregistrer les remboursements que le service de paiement a faits",
  ],
  denied: "Il ne pourra pas",
  denials: [
    "lire ou modifier les produits, les clients, les codes promo, les réglages ou les utilisateurs",
    "supprimer une commande ni changer ce qui a été commandé",
  ],
  changes: "Si vous acceptez",
  changeList: [
    "la boutique et le serveur Tillkit reçoivent un nouveau secret de lien. Le précédent, s’il existe, reste valable pour les paiements en cours",
    "le serveur Tillkit enregistre sa notification auprès du service de paiement, s’il n’en a pas",
  ],
  agree: "Connecter",
  disagree: "Retour à la boutique sans connecter",
  startInShop: `Commencez dans ${words.backOffice} : ouvrez ${words.settings}, saisissez l’adresse de ce serveur, enregistrez, puis cliquez sur « Connecter au serveur Tillkit ».`,
  problemTitle: "La boutique n’a pas été connectée",
  notConfigured: (shop) =>
    `Ce serveur Tillkit n’a aucune boutique à l’adresse ${shop} : ajoutez-la à stores dans sa configuration, exactement comme ${words.backOffice} l’affiche, puis redémarrez-le.`,
  byConfiguration:
    "Les secrets de cette boutique figurent dans la configuration du serveur Tillkit : retirez-y linkSecret et webhookSecrets pour la connecter par cette page.",
  refused: `Cette connexion a expiré ou a déjà été faite. Ouvrez les réglages de Tillkit dans ${words.backOffice} et cliquez à nouveau sur le bouton.`,
  unreachable: (shop) =>
    `Le serveur Tillkit ne peut pas joindre l’extension à l’adresse ${shop} : ${words.activate} et laissez passer ${place} dans tous les pare-feu et extensions de sécurité.`,
  serviceFails: `Le service de paiement n’a pas enregistré la notification. Vérifiez la clé API de cette boutique dans la configuration du serveur Tillkit, puis cliquez à nouveau sur le bouton dans ${words.backOffice}.`,
  tooMany: `Trop d’essais depuis votre adresse : attendez dix minutes, puis cliquez à nouveau sur le bouton dans ${words.backOffice}.`,
});

export function pairingMessages(language: Language, { words, place }: BridgedPlatform): PairingMessages {
  return (language === "fr" ? french : english)(words(language), place.name);
}
