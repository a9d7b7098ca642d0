import type { Language } from "@tillkit/core";

export type WorkTexts = {
  readonly acts: string;
  readonly actsLead: string;
  readonly actNames: Readonly<Record<string, string>>;
  /** The events of the service in words. */
  readonly events: Readonly<Record<string, string>>;
  readonly retryAll: string;
  /** The summary of a message for developers, which is in English. */
  readonly rawError: string;
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
    retry: "Asked to retry a job",
    retry_all: "Asked to retry all dead-letter jobs",
    recorded_by_hand: "Recorded a refund in the shop by hand",
    installation_moved: "Said that the shop is at this address",
    installation_copy: "Said that this address is a copy",
    export: "Downloaded a file",
    test_webhook: "Tested a webhook endpoint",
    shop_invite: "Invited a shop",
    shop_uninvite: "Withdrew an invitation code",
    shop_approve: "Approved a shop",
    shop_suspend: "Suspended a shop",
    shop_resume: "Resumed a shop",
    shop_remove: "Removed a shop",
    shop_connect: "Connected a shop",
    shop_key: "Changed the service’s key of a shop",
    shop_move: "Moved a shop to another address",
    shop_disconnect: "Disconnected a shop",
  },
  events: {
    PAYMENT_CREATED: "Payment started",
    PAYMENT_SUCCEEDED: "Payment succeeded",
    PAYMENT_FAILED: "Payment failed",
    REFUND_COMPLETED: "Refund made",
    REFUND_FAILED: "Refund failed",
    DISPUTE_CREATED: "Dispute opened",
    DISPUTE_UPDATED: "Dispute changed",
    DISPUTE_CLOSED: "Dispute closed",
  },
  retryAll: "Retry all",
  rawError: "Technical message",
  dueSince: (at) => `Due since ${at}.`,
  endpoints: "Webhook endpoints",
  endpointsLead: "The addresses to which the service sends its webhooks, as this server is configured.",
  lastDelivery: "Last delivery",
  none: "none among the newest",
  newest: (count, ofNewest) => `${count} of the newest ${ofNewest} webhooks`,
  unprocessed: "could not be used",
  test: "Test",
  testHint:
    "Asks the service to send a test event to the public address of this server, and checks that it was stored.",
  testDone: (ms) => `The service sent a test event. It arrived, its signature was valid, and it was stored: ${ms} ms.`,
  testProblems: {
    signature:
      "The service sent a test event, and this server refused its signature: the webhook secret that is configured here differs from the service’s, or a proxy changes bodies. Rotate the secret with “tillkit webhooks rotate”, configure the new one and restart.",
    refused:
      "The service sent a test event, and the address refused it. Check that the proxy passes the path unchanged.",
    moved: "The address answered with a redirect, which the service does not follow. Register the final address.",
    failed: "The address answered with a server error. The log of this server or its proxy names the cause.",
    unreachable:
      "The service could not reach the public address of this server. Check its DNS, certificate, firewall and proxy.",
    not_stored:
      "The service delivered a test event, but this ledger does not contain the event. Does another server answer there?",
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
    refund_was_made: "Tableau de bord consulté : remboursement effectué",
    refund_was_not_made: "Tableau de bord consulté : remboursement non effectué",
    dispute_won: "Contestation enregistrée comme gagnée",
    dispute_lost: "Contestation enregistrée comme perdue",
    name_transaction: "Transaction choisie",
    retry: "Relance d’une tâche demandée",
    retry_all: "Relance de toutes les tâches arrêtées demandée",
    recorded_by_hand: "Remboursement enregistré à la main dans la boutique",
    installation_moved: "Boutique déclarée à cette adresse",
    installation_copy: "Adresse déclarée comme copie",
    export: "Fichier téléchargé",
    test_webhook: "Point de terminaison testé",
    shop_invite: "Boutique invitée",
    shop_uninvite: "Code d’invitation annulé",
    shop_approve: "Boutique approuvée",
    shop_suspend: "Boutique suspendue",
    shop_resume: "Boutique rétablie",
    shop_remove: "Boutique retirée",
    shop_connect: "Boutique connectée",
    shop_key: "Clé du service changée pour une boutique",
    shop_move: "Boutique passée à une autre adresse",
    shop_disconnect: "Boutique déconnectée",
  },
  events: {
    PAYMENT_CREATED: "Paiement commencé",
    PAYMENT_SUCCEEDED: "Paiement réussi",
    PAYMENT_FAILED: "Paiement échoué",
    REFUND_COMPLETED: "Remboursement effectué",
    REFUND_FAILED: "Remboursement échoué",
    DISPUTE_CREATED: "Contestation ouverte",
    DISPUTE_UPDATED: "Contestation modifiée",
    DISPUTE_CLOSED: "Contestation close",
  },
  retryAll: "Tout relancer",
  rawError: "Message technique",
  dueSince: (at) => `Attendue depuis le ${at}.`,
  endpoints: "Points de terminaison",
  endpointsLead: "Les adresses auxquelles le service envoie ses webhooks, selon la configuration de ce serveur.",
  lastDelivery: "Dernier webhook",
  none: "aucun parmi les plus récents",
  newest: (count, ofNewest) => `${count} des ${ofNewest} webhooks les plus récents`,
  unprocessed: "inutilisables",
  test: "Tester",
  testHint:
    "Demande au service d’envoyer un événement de test à l’adresse publique de ce serveur, et vérifie qu’il est enregistré.",
  testDone: (ms) =>
    `Le service a envoyé un événement de test. Il est arrivé, sa signature est valable et il est enregistré : ${ms} ms.`,
  testProblems: {
    signature:
      "Le service a envoyé un événement de test, et ce serveur a refusé sa signature : le secret de webhook configuré ici n’est pas celui du service, ou un proxy change le corps. Renouvelez le secret avec « tillkit webhooks rotate », configurez le nouveau et redémarrez.",
    refused:
      "Le service a envoyé un événement de test, et l’adresse l’a refusé. Vérifiez que le proxy transmet le chemin sans changement.",
    moved: "L’adresse a répondu par une redirection, que le service ne suit pas. Enregistrez l’adresse finale.",
    failed:
      "L’adresse a répondu par une erreur de serveur. Le journal de ce serveur ou de son proxy en donne la cause.",
    unreachable:
      "Le service n’a pas pu joindre l’adresse publique de ce serveur. Vérifiez le DNS, le certificat, le pare-feu et le proxy.",
    not_stored:
      "Le service a remis un événement de test, mais il n’est pas dans ce registre. Un autre serveur y répond-il ?",
  },
  unknownEndpoint: "Ce serveur n’a pas ce point de terminaison.",
};

export const workTexts: Readonly<Record<Language, WorkTexts>> = { en: english, fr: french };
