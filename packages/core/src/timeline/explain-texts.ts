import { explainDisputeEntry } from "../disputes/dispute-texts.ts";
import type { Language } from "../domain/money.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import { readNamedTransaction, type TimelineEntry } from "../domain/timeline.ts";

type Sentence = (detail: string) => string;

export type TimelineTexts = {
  readonly noPayment: string;
  readonly actor: Record<TimelineEntry["actor"], string>;
  readonly headline: Record<PaymentState, Sentence>;
  /** The headline of a payment under review, for the owner who decides about it. */
  readonly heldForOwner: string;
  /** Follows the headline of a payment of which a part was refunded. */
  readonly partlyRefunded: (refunded: string, left: string) => string;
  /** The sentences of the timeline by the kind of the entry. */
  readonly entry: Readonly<Record<string, Sentence>>;
};

/** Reasons by the `failure_code` of PAYMENT_FAILED. A code that is missing here is shown as it is. */
const FAILURES = {
  en: {
    card_declined: "the card was declined",
    insufficient_funds: "insufficient funds",
    expired_card: "the card has expired",
    incorrect_cvc: "the security code is wrong",
    processing_error: "the bank could not process the payment",
    authentication_failed: "the cardholder could not be authenticated",
    customer_rejected: "the shopper rejected the payment",
    timeout: "the shopper did not confirm in time",
  },
  fr: {
    card_declined: "carte refusée",
    insufficient_funds: "provision insuffisante",
    expired_card: "carte expirée",
    incorrect_cvc: "cryptogramme erroné",
    processing_error: "erreur de traitement à la banque",
    authentication_failed: "échec de l’authentification",
    customer_rejected: "paiement refusé par le client",
    timeout: "délai de confirmation dépassé",
  },
} as const;

/** The end of the sentence about a closed dispute, by its outcome. */
const OUTCOMES = {
  en: { won: ": the shop keeps the money", lost: ": the money was returned to the cardholder" },
  fr: { won: " : la boutique conserve l’argent", lost: " : l’argent a été restitué au titulaire de la carte" },
} as const;

const english: TimelineTexts = {
  noPayment: "Nobody has tried to pay this order yet.",
  actor: { shopper: "Shopper", webhook: "Service", timer: "Check", store: "Shop", operator: "Merchant" },
  headline: {
    intent: (amount) => `A payment of ${amount} is being prepared.`,
    open: (amount) => `Waiting for a payment of ${amount}.`,
    superseded: (amount) => `A newer payment replaced this payment of ${amount}. A late payment is still recorded.`,
    expired: (amount) => `The payment page for ${amount} has expired. A late payment is still recorded.`,
    closed: (amount) => `No payment of ${amount} arrived.`,
    verified: (amount) => `${amount} was paid. The shop is being updated.`,
    recorded: (amount) => `${amount} was paid and the order shows it.`,
    review: (amount) =>
      `Money arrived for this order, with a difference: its total is ${amount}. The merchant must review it.`,
    duplicate: (amount) => `This order was paid a second time. Refund the second payment of ${amount}.`,
    refunding: (amount) => `${amount} is being refunded.`,
    refunded: (amount) => `${amount} was refunded.`,
  },
  heldForOwner: "Money arrived for this order, with a difference: decide whether it counts.",
  partlyRefunded: (refunded, left) => `${refunded} of it was refunded; ${left} remains.`,
  entry: {
    started: () => "The shopper started a payment.",
    opened: () => "The payment page was opened.",
    refused: (reason) => `The service refused to open a payment page: ${reason}`,
    replaced: () => "A newer payment replaced this one.",
    acted: () => "The shopper chose a payment method. The result is pending.",
    attempt_failed: (detail) =>
      `A payment attempt failed${failureReason(detail, FAILURES.en)}. The shopper can try again.`,
    cancelled: () => "The shopper left the payment page. Nothing was cancelled: the page can still be paid.",
    unreadable: () => "The service’s responses do not show this payment page. It is still checked.",
    expired: () => "The payment page expired without a payment.",
    closed: () => "No payment arrived within the grace period. The checks have ended.",
    paid: (late) =>
      late === ""
        ? "The service confirms the payment."
        : "The service confirms the payment. It arrived after the page had expired.",
    recorded: (evidence) =>
      evidence === "acknowledged" ? "The shop acknowledged the payment." : "The order is marked paid.",
    duplicate: () => "The order was already paid: this is a second payment.",
    accepted: (by) => `The difference was accepted (${by}).`,
    accepted_by_hand: (by) => `The order was marked as paid in the shop (${by}), so the difference counts as accepted.`,
    reattached: (by) => `The payment was attached to the order again (${by}).`,
    refunded: () => "The payment was refunded.",
    refund_requested: (amount) => `A refund of ${amount} was requested.`,
    refund_decided: (by) => `Decided by: ${by}.`,
    refund_settled: (detail) => `The failed refund was settled outside the service (${detail}).`,
    refund_unknown: (amount) =>
      `The service did not answer the refund of ${amount}. Its result is being checked, and no money is sent twice.`,
    refund_pending: (amount) => `The refund of ${amount} is pending.`,
    refund_completed: (amount) => `${amount} was refunded.`,
    refund_failed: (amount) => `The refund of ${amount} failed: the money was not returned.`,
    store_unavailable: () => "The shop could not be reached. The update is tried again.",
    store_unknown: () => "The shop did not answer in time. The order is read before the update is tried again.",
    store_reconnect: () => "The shop refused the connection: the merchant must renew it.",
    header_differs: (header) => `The header and the body of a webhook differ (${header}). Only the signed body counts.`,
    refund_over_dispute: (disputed) =>
      `The refund was confirmed although ${disputed} are disputed: the money may go back twice.`,
    refund_settled_by_person: (by) => `The result of this refund was read in the service’s dashboard (${by}).`,
    transaction_named: (detail) =>
      `The transaction that paid was chosen, because the service does not name it (${chooserOf(detail)}).`,
    surplus: (amount) =>
      `The payment page received another payment of ${amount}: it is the customer’s, and can be refunded by itself.`,
    recovered: (knownSince) =>
      `The payment was missing from this ledger and was recovered from the service.${knownSince === "" ? "" : ` Disputes before ${dateText(knownSince, "en")} are not known.`}`,
    orphan: (event) => `The service reported ${event} for a payment that is not in this ledger.`,
    archived: (name) => `Everything before this was archived, in ${name}.`,
    event: (event) => `The service reported ${event}.`,
    dispute_created: (detail) =>
      explainDisputeEntry(detail, "en", "The cardholder disputes this payment: respond in the service’s dashboard."),
    dispute_updated: (detail) => explainDisputeEntry(detail, "en", "The dispute about this payment was updated."),
    dispute_decided: (detail) =>
      explainDisputeEntry(detail, "en", "The outcome of the dispute was read in the service’s dashboard."),
    dispute_closed: (detail) =>
      explainDisputeEntry(
        detail,
        "en",
        `The dispute about this payment is closed${disputeOutcome(detail, OUTCOMES.en)}.`,
      ),
  },
};

const french: TimelineTexts = {
  noPayment: "Personne n’a encore essayé de payer cette commande.",
  actor: { shopper: "Client", webhook: "Service", timer: "Contrôle", store: "Boutique", operator: "Commerçant" },
  headline: {
    intent: (amount) => `Un paiement de ${amount} est en préparation.`,
    open: (amount) => `En attente d’un paiement de ${amount}.`,
    superseded: (amount) =>
      `Un paiement plus récent a remplacé ce paiement de ${amount}. Un paiement tardif sera tout de même enregistré.`,
    expired: (amount) => `La page de paiement de ${amount} a expiré. Un paiement tardif sera tout de même enregistré.`,
    closed: (amount) => `Aucun paiement de ${amount} n’a été reçu.`,
    verified: (amount) => `${amount} ont été payés. La commande est en cours de mise à jour dans la boutique.`,
    recorded: (amount) => `${amount} ont été payés et la commande l’indique.`,
    review: (amount) =>
      `Un paiement a été reçu pour cette commande, mais avec un écart : le total est de ${amount}. Le commerçant doit le vérifier.`,
    duplicate: (amount) => `Cette commande a été payée deux fois. Remboursez le second paiement de ${amount}.`,
    refunding: (amount) => `${amount} sont en cours de remboursement.`,
    refunded: (amount) => `${amount} ont été remboursés.`,
  },
  heldForOwner: "Un paiement a été reçu pour cette commande, mais avec un écart : décidez s’il compte.",
  partlyRefunded: (refunded, left) => `${refunded} ont été remboursés ; il reste ${left}.`,
  entry: {
    started: () => "Le client a commencé un paiement.",
    opened: () => "La page de paiement a été ouverte.",
    refused: (reason) => `Le service a refusé d’ouvrir une page de paiement : ${reason}`,
    replaced: () => "Un paiement plus récent a remplacé celui-ci.",
    acted: () => "Le client a choisi un moyen de paiement. Le résultat est en attente.",
    attempt_failed: (detail) =>
      `Une tentative de paiement a échoué${failureReason(detail, FAILURES.fr)}. Le client peut réessayer.`,
    cancelled: () => "Le client a quitté la page de paiement. Rien n’est annulé : elle peut encore être payée.",
    unreadable: () => "Les réponses du service ne montrent pas cette page de paiement. Elle reste suivie.",
    expired: () => "La page de paiement a expiré sans paiement.",
    closed: () => "Aucun paiement n’est arrivé dans le délai. Le suivi est terminé.",
    paid: (late) =>
      late === ""
        ? "Le service confirme le paiement."
        : "Le service confirme le paiement, reçu après l’expiration de la page.",
    recorded: (evidence) =>
      evidence === "acknowledged" ? "La boutique a accusé réception du paiement." : "La commande est marquée payée.",
    duplicate: () => "La commande était déjà payée : ceci est un second paiement.",
    accepted: (by) => `L’écart a été accepté (${by}).`,
    accepted_by_hand: (by) =>
      `La commande a été marquée payée dans la boutique (${by}) : l’écart est considéré comme accepté.`,
    reattached: (by) => `Le paiement a été rattaché à la commande (${by}).`,
    refunded: () => "Le paiement a été remboursé.",
    refund_requested: (amount) => `Un remboursement de ${amount} a été demandé.`,
    refund_decided: (by) => `Décidé par : ${by}.`,
    refund_settled: (detail) => `Le remboursement échoué a été réglé hors du service (${detail}).`,
    refund_unknown: (amount) =>
      `Le service n’a pas répondu au remboursement de ${amount}. Son résultat est vérifié, et l’argent n’est pas envoyé deux fois.`,
    refund_pending: (amount) => `Le remboursement de ${amount} est en cours.`,
    refund_completed: (amount) => `${amount} ont été remboursés.`,
    refund_failed: (amount) => `Le remboursement de ${amount} a échoué : l’argent n’a pas été restitué.`,
    store_unavailable: () => "La boutique est injoignable. La mise à jour sera tentée à nouveau.",
    store_unknown: () =>
      "La boutique n’a pas répondu à temps. La commande sera relue avant une nouvelle tentative de mise à jour.",
    store_reconnect: () => "La boutique a refusé la connexion : le commerçant doit la renouveler.",
    header_differs: (header) =>
      `L’en-tête et le corps d’un webhook diffèrent (${header}). Seul le corps signé fait foi.`,
    refund_over_dispute: (disputed) =>
      `Le remboursement a été confirmé alors que ${disputed} sont contestés : l’argent peut repartir deux fois.`,
    refund_settled_by_person: (by) =>
      `Le résultat de ce remboursement a été lu dans le tableau de bord du service (${by}).`,
    transaction_named: (detail) =>
      `La transaction qui a payé a été choisie, car le service ne la nomme pas (${chooserOf(detail)}).`,
    surplus: (amount) =>
      `La page de paiement a reçu un autre paiement de ${amount} : il est au client, et peut être remboursé à part.`,
    recovered: (knownSince) =>
      `Le paiement manquait dans ce registre et a été récupéré auprès du service.${knownSince === "" ? "" : ` Les contestations d’avant le ${dateText(knownSince, "fr")} ne sont pas connues.`}`,
    orphan: (event) => `Le service a signalé ${event} pour un paiement absent de ce registre.`,
    archived: (name) => `Tout ce qui précède a été archivé, dans ${name}.`,
    event: (event) => `Le service a signalé ${event}.`,
    dispute_created: (detail) =>
      explainDisputeEntry(
        detail,
        "fr",
        "Le titulaire de la carte conteste ce paiement : répondez dans le tableau de bord du service.",
      ),
    dispute_updated: (detail) => explainDisputeEntry(detail, "fr", "La contestation de ce paiement a été mise à jour."),
    dispute_decided: (detail) =>
      explainDisputeEntry(detail, "fr", "L’issue de la contestation a été lue dans le tableau de bord du service."),
    dispute_closed: (detail) =>
      explainDisputeEntry(
        detail,
        "fr",
        `La contestation de ce paiement est close${disputeOutcome(detail, OUTCOMES.fr)}.`,
      ),
  },
};

export const TEXTS: Record<Language, TimelineTexts> = { en: english, fr: french };

// The detail is "card_declined <transaction id>". The sentence contains the reason only.
function failureReason(detail: string, failures: Readonly<Record<string, string>>): string {
  const code = /^[a-z_]+(?= |$)/.exec(detail)?.[0];
  return code === undefined ? "" : ` (${failures[code] ?? code})`;
}

// The detail of an event without a dispute id is "<status> <outcome>", such as "closed won".
function disputeOutcome(detail: string, outcomes: Readonly<Record<"won" | "lost", string>>): string {
  const outcome = /(?<= )(won|lost)$/.exec(detail)?.[0];
  return outcome === "won" || outcome === "lost" ? outcomes[outcome] : "";
}

function chooserOf(detail: string): string {
  return readNamedTransaction({ kind: "transaction_named", detail })?.by ?? "";
}

function dateText(isoTime: string, language: Language): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", format).format(Date.parse(isoTime))} UTC`;
}
