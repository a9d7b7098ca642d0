import type { Language } from "@tillkit/core";
import type { DeliveryFault } from "@tillkit/core/hosts";

export type EndpointTexts = {
  /** The link to what the service reports about an endpoint. */
  readonly serviceSide: string;
  readonly back: string;
  /** Why the service reports nothing. */
  readonly states: Readonly<Record<string, string>>;
  readonly inactive: string;
  readonly missingEvents: string;
  readonly complete: string;
  readonly attempts: string;
  readonly attemptsLead: string;
  readonly noAttempts: string;
  readonly failed: (count: number, of: number) => string;
  readonly noneFailed: (of: number) => string;
  readonly delivered: string;
  readonly notDelivered: string;
  readonly attempt: (number: number) => string;
  readonly answered: (status: number) => string;
  /** By the service's code of the error. */
  readonly errors: Readonly<Record<string, string>>;
  readonly advice: Readonly<Record<DeliveryFault, string>>;
};

const english: EndpointTexts = {
  serviceSide: "What the service reports",
  back: "All endpoints",
  states: {
    missing:
      "The service has no webhook endpoint with this address. Create it in the service’s dashboard or with “tillkit webhooks create”; until then payments are only found by scheduled reads.",
    no_answer: "The service did not answer. What is shown on the other pages comes from the ledger.",
    not_asked: "No API key of this server belongs to this endpoint, so the service cannot be asked.",
  },
  inactive:
    "The service has switched this endpoint off and sends nothing to it. Switch it on in the service’s dashboard.",
  missingEvents: "The service does not send these events to this endpoint. Add them in its dashboard:",
  complete: "The endpoint is active and gets all events of a checkout.",
  attempts: "Newest attempts of the service",
  attemptsLead:
    "An event that fails is sent again up to five times. A payment is not lost: it is read from the service on a schedule.",
  noAttempts: "The service has not sent anything to this endpoint yet.",
  failed: (count, of) => `${count} of the newest ${of} attempts failed`,
  noneFailed: (of) =>
    of === 1 ? "The newest attempt was delivered." : `All of the newest ${of} attempts were delivered.`,
  delivered: "Delivered",
  notDelivered: "Failed",
  attempt: (number) => `attempt ${number}`,
  answered: (status) => `answered ${status}`,
  errors: {
    timeout: "no answer within 4 seconds",
    network_error: "not reached",
    blocked_webhook_url: "address blocked by the service",
  },
  advice: {
    signature:
      "This server refused its signature: the webhook secret that is configured here differs from the service’s. Rotate it with “tillkit webhooks rotate”, configure the new one and restart.",
    refused: "This server or its proxy refused it. Check that the proxy passes the path unchanged.",
    moved: "The address answered with a redirect, which the service does not follow. Register the final address.",
    failed: "This server or its proxy failed. Its log names the cause; the service sends the event again.",
    unreachable: "The service did not reach this server. Check its DNS, certificate, firewall and proxy.",
  },
};

const french: EndpointTexts = {
  serviceSide: "Ce que le service indique",
  back: "Tous les points de terminaison",
  states: {
    missing:
      "Le service n’a pas de point de terminaison à cette adresse. Créez-le dans le tableau de bord du service ou avec « tillkit webhooks create » ; d’ici là, les paiements ne sont trouvés que par les lectures planifiées.",
    no_answer: "Le service n’a pas répondu. Les autres pages montrent ce que contient le registre.",
    not_asked:
      "Aucune clé d’API de ce serveur n’appartient à ce point de terminaison : le service ne peut pas être interrogé.",
  },
  inactive:
    "Le service a désactivé ce point de terminaison et n’y envoie rien. Réactivez-le dans le tableau de bord du service.",
  missingEvents:
    "Le service n’envoie pas ces événements à ce point de terminaison. Ajoutez-les dans son tableau de bord :",
  complete: "Le point de terminaison est actif et reçoit tous les événements d’un paiement.",
  attempts: "Derniers envois du service",
  attemptsLead:
    "Un événement qui échoue est renvoyé, jusqu’à cinq fois. Aucun paiement n’est perdu : il est aussi lu auprès du service à intervalles réguliers.",
  noAttempts: "Le service n’a encore rien envoyé à ce point de terminaison.",
  failed: (count, of) =>
    count === 1 ? `1 échec sur les ${of} derniers envois` : `${count} échecs sur les ${of} derniers envois`,
  noneFailed: (of) => (of === 1 ? "Le dernier envoi est arrivé." : `Les ${of} derniers envois sont tous arrivés.`),
  delivered: "Arrivé",
  notDelivered: "Échec",
  attempt: (number) => (number === 1 ? "1er envoi" : `${number}e envoi`),
  answered: (status) => `réponse ${status}`,
  errors: {
    timeout: "pas de réponse en 4 secondes",
    network_error: "serveur injoignable",
    blocked_webhook_url: "adresse bloquée par le service",
  },
  advice: {
    signature:
      "Ce serveur a refusé sa signature : le secret de webhook configuré ici n’est pas celui du service. Renouvelez-le avec « tillkit webhooks rotate », configurez le nouveau et redémarrez.",
    refused: "Ce serveur ou son proxy l’a refusé. Vérifiez que le proxy transmet le chemin sans changement.",
    moved: "L’adresse a répondu par une redirection, que le service ne suit pas. Enregistrez l’adresse finale.",
    failed: "Ce serveur ou son proxy a échoué. Son journal en donne la cause ; le service renvoie l’événement.",
    unreachable: "Le service n’a pas pu joindre ce serveur. Vérifiez le DNS, le certificat, le pare-feu et le proxy.",
  },
};

export const endpointTexts: Readonly<Record<Language, EndpointTexts>> = { en: english, fr: french };
