import type { Language } from "@tillkit/core";

export type WorkTexts = {
  readonly acts: string;
  readonly actsLead: string;
  readonly actNames: Readonly<Record<string, string>>;
  readonly retryAll: string;
  readonly dueSince: (at: string) => string;
  readonly endpoints: string;
  readonly endpointsLead: string;
  readonly lastDelivery: string;
  readonly none: string;
  /** How many of the newest webhooks are of this endpoint. */
  readonly newest: (count: string, ofNewest: string) => string;
  readonly unprocessed: string;
  readonly test: string;
  readonly testHint: string;
  readonly testDone: (ms: number) => string;
  readonly testProblems: Readonly<Record<string, string>>;
  readonly unknownEndpoint: string;
};

const english: WorkTexts = {
  acts: "Log of acts",
  actsLead: "What operators did in these pages, and who. Nothing in this log is ever changed.",
  actNames: {
    log_in: "Logged in",
    log_out: "Logged out",
    accept: "Accepted a difference",
    refund: "Refunded",
    refund_was_made: "Looked in the dashboard: the refund was made",
    refund_was_not_made: "Looked in the dashboard: the refund was not made",
    dispute_won: "Recorded a dispute as won",
    dispute_lost: "Recorded a dispute as lost",
    name_transaction: "Chose the transaction that paid",
    retry: "Retried a job",
    retry_all: "Retried all dead-letter jobs",
    export: "Downloaded a file",
    test_webhook: "Tested a webhook endpoint",
  },
  retryAll: "Retry all",
  dueSince: (at) => `due since ${at}`,
  endpoints: "Webhook endpoints",
  endpointsLead: "The addresses to which the service sends its webhooks, as this server is configured.",
  lastDelivery: "Last delivery",
  none: "none among the newest",
  newest: (count, ofNewest) => `${count} of the newest ${ofNewest} webhooks`,
  unprocessed: "could not be used",
  test: "Test",
  testHint: "Sends a signed test event to the public address of this server and checks that it was stored.",
  testDone: (ms) => `The test event arrived, its signature was valid, and it was stored: ${ms} ms.`,
  testProblems: {
    unreachable: "The public address of this server did not answer. Check its DNS, certificate and proxy.",
    refused: "The address answered, but not with 200. Check that the proxy passes the path and the body unchanged.",
    not_stored:
      "The address answered 200, but this ledger does not contain the event. Does another server answer there?",
  },
  unknownEndpoint: "This server has no such endpoint.",
};

const french: WorkTexts = {
  acts: "Journal des actions",
  actsLead: "Ce que les opérateurs ont fait dans ces pages, et qui. Rien n’y est jamais modifié.",
  actNames: {
    log_in: "Connexion",
    log_out: "Déconnexion",
    accept: "Écart accepté",
    refund: "Remboursement",
    refund_was_made: "Tableau de bord consulté : remboursement fait",
    refund_was_not_made: "Tableau de bord consulté : remboursement non fait",
    dispute_won: "Contestation enregistrée comme gagnée",
    dispute_lost: "Contestation enregistrée comme perdue",
    name_transaction: "Transaction choisie",
    retry: "Tâche relancée",
    retry_all: "Toutes les tâches arrêtées relancées",
    export: "Fichier téléchargé",
    test_webhook: "Point de terminaison testé",
  },
  retryAll: "Tout relancer",
  dueSince: (at) => `attendue depuis le ${at}`,
  endpoints: "Points de terminaison",
  endpointsLead: "Les adresses auxquelles le service envoie ses webhooks, selon la configuration de ce serveur.",
  lastDelivery: "Dernier webhook",
  none: "aucun parmi les plus récents",
  newest: (count, ofNewest) => `${count} des ${ofNewest} webhooks les plus récents`,
  unprocessed: "inutilisables",
  test: "Tester",
  testHint: "Envoie un événement de test signé à l’adresse publique de ce serveur et vérifie qu’il est enregistré.",
  testDone: (ms) => `L’événement de test est arrivé, sa signature est valable et il est enregistré : ${ms} ms.`,
  testProblems: {
    unreachable: "L’adresse publique de ce serveur n’a pas répondu. Vérifiez le DNS, le certificat et le proxy.",
    refused:
      "L’adresse a répondu, mais pas par 200. Vérifiez que le proxy transmet le chemin et le corps sans changement.",
    not_stored: "L’adresse a répondu 200, mais l’événement n’est pas dans ce registre. Un autre serveur y répond-il ?",
  },
  unknownEndpoint: "Ce serveur n’a pas ce point de terminaison.",
};

export const workTexts: Readonly<Record<Language, WorkTexts>> = { en: english, fr: french };
