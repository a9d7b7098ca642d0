import type { DisputeOutcome } from "../domain/dispute.ts";
import { formatMoney, type Language, type Money } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { DisputeEntryKind, EntryFacts, TimelineEntry } from "../domain/timeline.ts";
import { dateText } from "./date-text.ts";
import { explainDispute } from "./dispute-texts.ts";
import { explainFinding, type Reader } from "./finding-texts.ts";

/** What an entry says, in one sentence. */
export function explainEntry(entry: TimelineEntry, language: Language, reader: Reader): string {
  const texts: Readonly<Record<string, (facts: never, reader: Reader) => string>> = TEXTS[language].entry;
  // A newer version may have stored another kind.
  return texts[entry.kind]?.(entry as never, reader) ?? entry.kind;
}

/** A note on an order that was paid a second time. */
export function explainDuplicate({ amountDue }: Payment, language: Language): string {
  return TEXTS[language].headline.duplicate(formatMoney(amountDue, language), "owner");
}

/** A note on an order whose payment page received a further payment. */
export function explainSurplus(amount: Money, language: Language): string {
  return TEXTS[language].entry.surplus({ kind: "surplus", amount }, "owner");
}

/** A note on an order whose further payment went back. */
export function explainSurplusRefund(amount: Money, language: Language): string {
  return TEXTS[language].surplusRefunded(formatMoney(amount, language));
}

type FactsOf<Kind, Facts = EntryFacts> = Facts extends { readonly kind: infer Known }
  ? Kind extends Known
    ? Facts
    : never
  : never;

/** A text about a dispute says what could be done when its entry was made. */
type TimeOf<Kind> = Kind extends DisputeEntryKind ? Pick<TimelineEntry, "at"> : unknown;

export type TimelineTexts = {
  readonly noPayment: string;
  readonly actor: Record<TimelineEntry["actor"], string>;
  readonly headline: Record<PaymentState, (amount: string, reader: Reader) => string>;
  /** Follows the headline of a payment of which a part was refunded. */
  readonly partlyRefunded: (refunded: string, left: string) => string;
  readonly surplusRefunded: (amount: string) => string;
  readonly entry: {
    readonly [Kind in EntryFacts["kind"]]: (facts: FactsOf<Kind> & TimeOf<Kind>, reader: Reader) => string;
  };
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
    incorrect_cvc: "code de sécurité erroné",
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
    review: (amount, reader) =>
      reader === "owner"
        ? "Money arrived for this order, with a difference: decide whether it counts."
        : `Money arrived for this order of ${amount}, with a difference: the merchant must review it.`,
    duplicate: (amount) => `This order was paid a second time. Refund the second payment of ${amount}.`,
    refunding: (amount) => `${amount} is being refunded.`,
    refunded: (amount) => `${amount} was refunded.`,
  },
  partlyRefunded: (refunded, left) => `${refunded} of it was refunded; ${left} remains.`,
  surplusRefunded: (amount) =>
    `${amount} of another payment that the payment page had received was refunded. The money that paid this order stays.`,
  entry: {
    started: () => "The shopper started a payment.",
    opened: () => "The payment page was opened.",
    refused: ({ reason }) => `The service refused to open a payment page: ${reason}`,
    replaced: () => "A newer payment replaced this one.",
    acted: () => "The shopper chose a payment method. The result is pending.",
    attempt_failed: ({ code }) =>
      `A payment attempt failed${failureReason(code, FAILURES.en)}. The shopper can try again.`,
    cancelled: () => "The shopper left the payment page. Nothing was cancelled: the page can still be paid.",
    unreadable: () => "The service’s responses do not show this payment page. It is still checked.",
    readable: () => "The service’s responses show this payment page again.",
    expired: () => "The payment page expired without a payment.",
    closed: () => "No payment arrived within the grace period. The checks have ended.",
    paid: ({ late }) =>
      late === undefined
        ? "The service confirms the payment."
        : "The service confirms the payment. It arrived after the page had expired.",
    recorded: ({ evidence }) =>
      evidence === "acknowledged" ? "The shop acknowledged the payment." : "The order is marked paid.",
    held: ({ finding }, reader) => explainFinding(finding, "en", reader),
    duplicate: () => "The order was already paid: this is a second payment.",
    accepted: ({ by }) => `The difference was accepted (${by || "by marking the order as paid"}).`,
    accepted_by_hand: ({ by }) =>
      `The order was marked as paid in the shop (${by}), so the difference counts as accepted.`,
    reattached: ({ by }) => `The payment was attached to the order again (${by}).`,
    refunded: () => "The payment was refunded.",
    refund_requested: ({ amount }) => `A refund of ${inEnglish(amount)} was requested.`,
    refund_decided: ({ by }) => `Decided by: ${by}.`,
    refund_settled: ({ by, reason }) => `The failed refund was settled outside the service (${by}: ${reason}).`,
    refund_unknown: ({ amount }) =>
      `The service did not answer the refund of ${inEnglish(amount)}. Its result is being checked, and no money is sent twice.`,
    refund_pending: ({ amount }) => `The refund of ${inEnglish(amount)} is pending.`,
    refund_completed: ({ amount }) => `${inEnglish(amount)} was refunded.`,
    refund_failed: ({ amount }) => `The refund of ${inEnglish(amount)} failed: the money was not returned.`,
    store_unavailable: () => "The shop could not be reached. The update is tried again.",
    store_unknown: () => "The shop did not answer in time. The order is read before the update is tried again.",
    store_reconnect: (_facts, reader) =>
      `The shop refused the connection: ${reader === "owner" ? "renew it" : "the merchant must renew it"}. It is tried again until it answers.`,
    store_owner: (_facts, reader) =>
      `The shop does not take this payment: ${reader === "owner" ? "look at the order" : "the merchant must look at the order"}.`,
    header_differs: ({ header, event }) =>
      `The header and the body of a webhook differ (${header} ≠ ${event}). Only the signed body counts.`,
    refund_over_dispute: ({ amount }) =>
      `The refund was confirmed although ${inEnglish(amount)} are disputed: the money may go back twice.`,
    refund_settled_by_person: ({ by }) => `The result of this refund was read in the service’s dashboard (${by}).`,
    transaction_named: ({ by }) =>
      `The transaction that paid was chosen, because the service does not name it (${by}).`,
    surplus: ({ amount }) =>
      `The payment page received another payment of ${inEnglish(amount)}: it is the customer’s, and can be refunded by itself.`,
    recovered: ({ disputesKnownSince }) =>
      `The payment was missing from this ledger and was recovered from the service.${disputesKnownSince === undefined ? "" : ` Disputes before ${dateText(disputesKnownSince, "en")} are not known.`}`,
    orphan: ({ event }) => `The service reported ${event} for a payment that is not in this ledger.`,
    archived: ({ name }) => `Everything before this was archived, in ${name}.`,
    dispute_created: (facts) =>
      explainDisputeEntry(facts, "en", "The cardholder disputes this payment: respond in the service’s dashboard."),
    dispute_updated: (facts) => explainDisputeEntry(facts, "en", "The dispute about this payment was updated."),
    dispute_decided: (facts) =>
      explainDisputeEntry(facts, "en", "The outcome of the dispute was read in the service’s dashboard."),
    dispute_closed: (facts) =>
      explainDisputeEntry(facts, "en", `The dispute about this payment is closed${outcomeText(facts, OUTCOMES.en)}.`),
    legacy: ({ was, text }) => `${was} ${text}`,
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
    review: (amount, reader) =>
      reader === "owner"
        ? "Un paiement a été reçu pour cette commande, mais avec un écart : décidez s’il compte."
        : `Un paiement a été reçu pour cette commande de ${amount}, mais avec un écart : le commerçant doit le vérifier.`,
    duplicate: (amount) => `Cette commande a été payée deux fois. Remboursez le second paiement de ${amount}.`,
    refunding: (amount) => `${amount} sont en cours de remboursement.`,
    refunded: (amount) => `${amount} ont été remboursés.`,
  },
  partlyRefunded: (refunded, left) => `${refunded} ont été remboursés ; il reste ${left}.`,
  surplusRefunded: (amount) =>
    `${amount} d’un autre paiement reçu par la page de paiement ont été remboursés. L’argent qui a payé cette commande reste.`,
  entry: {
    started: () => "Le client a commencé un paiement.",
    opened: () => "La page de paiement a été ouverte.",
    refused: ({ reason }) => `Le service a refusé d’ouvrir une page de paiement : ${reason}`,
    replaced: () => "Un paiement plus récent a remplacé celui-ci.",
    acted: () => "Le client a choisi un moyen de paiement. Le résultat est en attente.",
    attempt_failed: ({ code }) =>
      `Une tentative de paiement a échoué${failureReason(code, FAILURES.fr)}. Le client peut réessayer.`,
    cancelled: () => "Le client a quitté la page de paiement. Rien n’est annulé : elle peut encore être payée.",
    unreadable: () => "Les réponses du service ne montrent pas cette page de paiement. Elle reste suivie.",
    readable: () => "Les réponses du service montrent de nouveau cette page de paiement.",
    expired: () => "La page de paiement a expiré sans paiement.",
    closed: () => "Aucun paiement n’est arrivé dans le délai. Le suivi est terminé.",
    paid: ({ late }) =>
      late === undefined
        ? "Le service confirme le paiement."
        : "Le service confirme le paiement, reçu après l’expiration de la page.",
    recorded: ({ evidence }) =>
      evidence === "acknowledged" ? "La boutique a accusé réception du paiement." : "La commande est marquée payée.",
    held: ({ finding }, reader) => explainFinding(finding, "fr", reader),
    duplicate: () => "La commande était déjà payée : ceci est un second paiement.",
    accepted: ({ by }) => `L’écart a été accepté (${by || "commande marquée comme payée"}).`,
    accepted_by_hand: ({ by }) =>
      `La commande a été marquée payée dans la boutique (${by}) : l’écart est considéré comme accepté.`,
    reattached: ({ by }) => `Le paiement a été rattaché à la commande (${by}).`,
    refunded: () => "Le paiement a été remboursé.",
    refund_requested: ({ amount }) => `Un remboursement de ${inFrench(amount)} a été demandé.`,
    refund_decided: ({ by }) => `Décidé par : ${by}.`,
    refund_settled: ({ by, reason }) => `Le remboursement échoué a été réglé hors du service (${by} : ${reason}).`,
    refund_unknown: ({ amount }) =>
      `Le service n’a pas répondu au remboursement de ${inFrench(amount)}. Son résultat est vérifié, et l’argent n’est pas envoyé deux fois.`,
    refund_pending: ({ amount }) => `Le remboursement de ${inFrench(amount)} est en cours.`,
    refund_completed: ({ amount }) => `${inFrench(amount)} ont été remboursés.`,
    refund_failed: ({ amount }) => `Le remboursement de ${inFrench(amount)} a échoué : l’argent n’a pas été restitué.`,
    store_unavailable: () => "La boutique est injoignable. La mise à jour sera tentée à nouveau.",
    store_unknown: () =>
      "La boutique n’a pas répondu à temps. La commande sera relue avant une nouvelle tentative de mise à jour.",
    store_reconnect: (_facts, reader) =>
      `La boutique a refusé la connexion : ${reader === "owner" ? "renouvelez-la" : "le commerçant doit la renouveler"}. Elle est réessayée jusqu’à ce qu’elle réponde.`,
    store_owner: (_facts, reader) =>
      `La boutique n’accepte pas ce paiement : ${reader === "owner" ? "regardez la commande" : "le commerçant doit regarder la commande"}.`,
    header_differs: ({ header, event }) =>
      `L’en-tête et le corps d’un webhook diffèrent (${header} ≠ ${event}). Seul le corps signé fait foi.`,
    refund_over_dispute: ({ amount }) =>
      `Le remboursement a été confirmé alors que ${inFrench(amount)} sont contestés : l’argent peut repartir deux fois.`,
    refund_settled_by_person: ({ by }) =>
      `Le résultat de ce remboursement a été lu dans le tableau de bord du service (${by}).`,
    transaction_named: ({ by }) => `La transaction qui a payé a été choisie, car le service ne la nomme pas (${by}).`,
    surplus: ({ amount }) =>
      `La page de paiement a reçu un autre paiement de ${inFrench(amount)} : il est au client, et peut être remboursé à part.`,
    recovered: ({ disputesKnownSince }) =>
      `Le paiement manquait dans ce registre et a été récupéré auprès du service.${disputesKnownSince === undefined ? "" : ` Les contestations d’avant le ${dateText(disputesKnownSince, "fr")} ne sont pas connues.`}`,
    orphan: ({ event }) => `Le service a signalé ${event} pour un paiement absent de ce registre.`,
    archived: ({ name }) => `Tout ce qui précède a été archivé, dans ${name}.`,
    dispute_created: (facts) =>
      explainDisputeEntry(
        facts,
        "fr",
        "Le titulaire de la carte conteste ce paiement : répondez dans le tableau de bord du service.",
      ),
    dispute_updated: (facts) => explainDisputeEntry(facts, "fr", "La contestation de ce paiement a été mise à jour."),
    dispute_decided: (facts) =>
      explainDisputeEntry(facts, "fr", "L’issue de la contestation a été lue dans le tableau de bord du service."),
    dispute_closed: (facts) =>
      explainDisputeEntry(facts, "fr", `La contestation de ce paiement est close${outcomeText(facts, OUTCOMES.fr)}.`),
    legacy: ({ was, text }) => `${was} ${text}`,
  },
};

export const TEXTS: Record<Language, TimelineTexts> = { en: english, fr: french };

function failureReason(code: string | undefined, failures: Readonly<Record<string, string>>): string {
  return code === undefined ? "" : ` (${failures[code] ?? code})`;
}

/** An entry whose event named no dispute has no facts but `fallback`. */
function explainDisputeEntry(
  facts: FactsOf<"dispute_closed"> & TimeOf<"dispute_closed">,
  language: Language,
  fallback: string,
): string {
  return "reported" in facts ? fallback : explainDispute(facts, language, { now: facts.at });
}

function outcomeText(facts: FactsOf<"dispute_closed">, outcomes: Readonly<Record<DisputeOutcome, string>>): string {
  const outcome = "reported" in facts ? facts.outcome : null;
  return outcome === null ? "" : outcomes[outcome];
}

function inEnglish(amount: Money): string {
  return formatMoney(amount, "en");
}

function inFrench(amount: Money): string {
  return formatMoney(amount, "fr");
}
