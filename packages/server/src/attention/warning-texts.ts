import type { Language } from "@tillkit/core";
import type { FoundCopy } from "@tillkit/core/hosts";
import { timeText } from "../pages/time-text.ts";
import type { KeyProblem } from "./warnings.ts";

type RefusedWebhooks = { readonly endpointId: string; readonly lastAt: number; readonly setting: string | null };

type WarningTexts = {
  readonly heading: string;
  readonly webhooksRefused: (refused: RefusedWebhooks) => string;
  /** Begins with what the reader has set. */
  readonly keyRefused: Readonly<Record<KeyProblem, (name: string, host: string, credentialId: string) => string>>;
  readonly keyOf: (credentialId: string) => string;
  readonly keyOfStore: (storeId: string) => string;
  readonly anotherHost: string;
  readonly testKey: (name: string) => string;
  readonly keysDiffer: string;
  readonly copyHeading: string;
  readonly copy: (found: FoundCopy) => string;
  readonly moved: string;
  readonly isCopy: string;
};

const english: WarningTexts = {
  heading: "This server is not set up correctly",
  webhooksRefused: ({ endpointId, lastAt, setting }) =>
    `This server refuses the webhooks of the endpoint ${endpointId}, last at ${timeText(lastAt, "en")}: their signature does not match ${setting ?? "its webhookSecrets"}. Give the endpoint a new secret with tillkit webhooks rotate, set it there, and restart. Until then payments are found only when the shopper returns or on a schedule.`,
  keyRefused: {
    unauthorized: (name, host, credentialId) =>
      `The service refuses ${name}: it was revoked, replaced or mistyped, or is a key for another address than ${host}. Put a valid key in its place and keep the credential's id ${credentialId}; until then its payments cannot be opened, read or refunded.`,
    api_access_suspended: (name) => `The service has suspended API access for ${name}: ask the service's support.`,
    environment_differs: (name, host) =>
      `${name} does not fit the address: ${host} answers with accounts of the other environment. Set the address and the key of one environment.`,
    live_at_sandbox: (name, host) =>
      `${name} is a live key, and ${host} is a sandbox on this machine that does not know it: use the test key that the sandbox shows, or set the service's address.`,
  },
  keyOf: (credentialId) => `the API key of the credential ${credentialId}`,
  keyOfStore: (storeId) => `The API key of the shop ${storeId}`,
  anotherHost: "the one that is configured",
  testKey: (name) =>
    `${name} is a test key, and NODE_ENV is production: no real money is taken. Set a live key before customers pay.`,
  keysDiffer:
    "Another process on the same database signs with other keys: each refuses the links of the other. Give all processes the same keys; to change a key, put the new one first and keep the old one behind it.",
  copyHeading: "This looks like a copy",
  copy: ({ storeId, address, original }) =>
    storeId === ""
      ? `This server runs at ${address} with the database of ${original}, so it looks like a copy of it. Nothing is refunded, decided or exported from here until a person has said whether it moved.`
      : `The shop ${storeId} runs at ${original}, and a call came from ${address}, which looks like a copy of it. Nothing is refunded, decided, exported or erased from there until a person has said whether the shop moved.`,
  moved: "The shop moved here, or has this address too",
  isCopy: "This is a copy",
};

const french: WarningTexts = {
  heading: "Ce serveur n’est pas configuré correctement",
  webhooksRefused: ({ endpointId, lastAt, setting }) =>
    `Ce serveur refuse les webhooks du point de terminaison ${endpointId}, le dernier le ${timeText(lastAt, "fr")} : leur signature ne correspond pas à ${setting ?? "ses webhookSecrets"}. Donnez un nouveau secret au point de terminaison avec « tillkit webhooks rotate », inscrivez-le là et redémarrez. D’ici là, les paiements ne sont trouvés qu’au retour du client ou par les lectures planifiées.`,
  keyRefused: {
    unauthorized: (name, host, credentialId) =>
      `Le service refuse ${name} : la clé a été révoquée, remplacée ou mal saisie, ou elle est celle d’une autre adresse que ${host}. Mettez une clé valable à sa place et gardez l’identifiant ${credentialId} ; d’ici là, ses paiements ne peuvent être ni ouverts, ni lus, ni remboursés.`,
    api_access_suspended: (name) => `Le service a suspendu l’accès à l’API pour ${name} : contactez son assistance.`,
    environment_differs: (name, host) =>
      `${name} ne convient pas à l’adresse : ${host} répond par des comptes de l’autre environnement. Réglez l’adresse et la clé d’un même environnement.`,
    live_at_sandbox: (name, host) =>
      `${name} est une clé réelle, et ${host} est un service d’essai (sandbox) de cette machine qui ne la connaît pas : utilisez la clé de test qu’il affiche, ou réglez l’adresse du service.`,
  },
  keyOf: (credentialId) => `la clé d’API ${credentialId}`,
  keyOfStore: (storeId) => `La clé d’API de la boutique ${storeId}`,
  anotherHost: "celle qui est configurée",
  testKey: (name) =>
    `${name} est une clé de test, et NODE_ENV vaut production : aucun argent réel n’est prélevé. Réglez une clé réelle avant que des clients ne paient.`,
  keysDiffer:
    "Un autre processus sur la même base de données signe avec d’autres clés : chacun refuse les liens de l’autre. Donnez les mêmes clés à tous les processus ; pour changer de clé, mettez la nouvelle en premier et gardez l’ancienne derrière elle.",
  copyHeading: "Ceci ressemble à une copie",
  copy: ({ storeId, address, original }) =>
    storeId === ""
      ? `Ce serveur tourne à l’adresse ${address} avec la base de données de ${original} : il ressemble à une copie. Rien n’est remboursé, décidé ni exporté d’ici tant qu’une personne n’a pas dit s’il a déménagé.`
      : `La boutique ${storeId} se trouve à ${original}, et un appel est venu de ${address}, qui ressemble à une copie. Rien n’y est remboursé, décidé, exporté ni effacé tant qu’une personne n’a pas dit si la boutique a déménagé.`,
  moved: "La boutique a déménagé ici, ou a aussi cette adresse",
  isCopy: "C’est une copie",
};

export const warningTexts: Readonly<Record<Language, WarningTexts>> = { en: english, fr: french };
