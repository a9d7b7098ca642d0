import { tellDisputeLine } from "../disputes/dispute-texts.ts";
import type { FindingCode } from "../domain/finding.ts";
import { NOT_PAYABLE, PAID_BY_UNKNOWN, SET_BY_OWNER } from "../domain/judge.ts";
import type { Language } from "../domain/money.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { TimelineEntry } from "../domain/timeline.ts";

type Sentence = (detail: string) => string;

export type Words = {
  readonly noPayment: string;
  readonly who: Record<TimelineEntry["actor"], string>;
  readonly headline: Record<PaymentState, Sentence>;
  readonly finding: Record<FindingCode, (expected: string, found: string) => string>;
  readonly story: Readonly<Record<string, Sentence>>;
};

/** `failure_code` of PAYMENT_FAILED; one that is new to us is shown as it is. */
const FAILURES = {
  en: {
    card_declined: "the card was declined",
    insufficient_funds: "not enough money",
    expired_card: "the card has expired",
    incorrect_cvc: "wrong security code",
    processing_error: "a fault at the bank",
    authentication_failed: "the shopper could not be identified",
    customer_rejected: "the shopper said no",
    timeout: "no answer in time",
  },
  fr: {
    card_declined: "carte refusée",
    insufficient_funds: "solde insuffisant",
    expired_card: "carte expirée",
    incorrect_cvc: "code de sécurité faux",
    processing_error: "incident à la banque",
    authentication_failed: "client non identifié",
    customer_rejected: "refusé par le client",
    timeout: "pas de réponse à temps",
  },
} as const;

/** How a dispute ended, where the service says it. */
const OUTCOMES = {
  en: { won: ": the money stays with the shop", lost: ": the money goes back to the card’s holder" },
  fr: { won: " : l’argent reste à la boutique", lost: " : l’argent revient au titulaire de la carte" },
} as const;

const english: Words = {
  noPayment: "Nobody has tried to pay this order yet.",
  who: { shopper: "Shopper", webhook: "Service", timer: "Check", store: "Shop", operator: "Owner" },
  headline: {
    intent: (amount) => `A payment of ${amount} is being prepared.`,
    open: (amount) => `Waiting for a payment of ${amount}.`,
    superseded: (amount) => `A newer payment replaced this one of ${amount}. It is still watched.`,
    expired: (amount) => `The payment page for ${amount} has expired. A late payment would still be noticed.`,
    closed: (amount) => `No payment of ${amount} arrived.`,
    verified: (amount) => `${amount} was paid. The shop is being told.`,
    recorded: (amount) => `${amount} was paid and the order shows it.`,
    review: (amount) => `Money arrived for this order of ${amount}, with a difference. The owner has to look.`,
    duplicate: (amount) => `This order was paid a second time: ${amount} should be given back.`,
    refunding: (amount) => `${amount} is being given back.`,
    refunded: (amount) => `${amount} was given back.`,
  },
  finding: {
    amount_differs: (expected, found) => `The amount paid differs: ${expected} was asked, ${found} was paid.`,
    currency_differs: (expected, found) => `The currency differs: ${expected} was asked, ${found} was paid.`,
    total_changed: (expected, found) => `The order was changed after payment began: ${expected} then, ${found} now.`,
    order_gone: () => "The order no longer exists in the shop.",
    order_not_payable: (_, found) => `The shop cannot take this payment: ${found}.`,
    other_session: () => "The service answered with another session.",
    other_reference: () => "The session carries another reference than this payment's.",
    other_environment: (expected, found) => `The environment differs: ${expected} was expected, ${found} was found.`,
    other_account: () => "The session belongs to another account.",
    not_verifiable: (expected) => `The payment cannot be verified: the service did not say its ${expected}.`,
    paid_outside: (_, found) => `The order shows as paid, and not by this payment: ${found}. Accept it or refund it.`,
    not_paid: () => "No payment came within the time of grace.",
    refund_failed: (amount) => `Giving back ${amount} failed: the money is still here.`,
  },
  story: {
    started: () => "Pressed pay.",
    opened: () => "The payment page was opened.",
    refused: (why) => `The service refused to open a payment page: ${why}`,
    replaced: () => "A newer payment replaced this one.",
    acted: () => "Chose a way to pay; waiting for the answer.",
    attempt_failed: (why) => `An attempt failed${reason(why, FAILURES.en)}. The shopper can try again.`,
    cancelled: () => "Left the payment page. Nothing was cancelled: it can still be paid.",
    unreadable: () => "The service answers nothing about this payment page. It stays watched.",
    lapsed: () => "The payment page expired without a payment.",
    closed: () => "No payment came within the time of grace. Nobody asks any more.",
    paid: (late) =>
      late === "" ? "The service confirms: paid." : "The service confirms: paid, after the page had expired.",
    recorded: (evidence) =>
      evidence === "acknowledged" ? "The shop acknowledged the payment." : "The order is marked paid.",
    duplicate: () => "The order was already paid: this is a second payment.",
    accepted: (by) => `The difference was accepted (${by}).`,
    accepted_by_hand: (by) => `The order was set to paid in the shop (${by}): the difference counts as accepted.`,
    refunded: () => "The payment was given back.",
    refund_asked: (amount) => `Asked to give back ${amount}.`,
    refund_decided: (by) => `Decided by: ${by}.`,
    refund_unknown: (amount) => `No answer about giving back ${amount}; it is settled without sending the money twice.`,
    refund_pending: (amount) => `Giving back ${amount} is under way.`,
    refund_completed: (amount) => `${amount} was given back.`,
    refund_failed: (amount) => `Giving back ${amount} failed: the money is still here.`,
    store_unavailable: () => "The shop could not be reached; it will be told again.",
    store_unknown: () => "The shop did not answer in time; it will be looked at before it is told again.",
    store_reconnect: () => "The shop refused our connection: its owner has to renew it.",
    header_differs: (which) => `A webhook's header and body disagreed (${which}); only the signed body counts.`,
    recovered: () => "Found again at the service: this ledger had lost it.",
    orphan: (event) => `The service reported ${event} for a payment that is not in this ledger.`,
    event: (event) => `The service reported ${event}.`,
    dispute_created: (about) =>
      tellDisputeLine(about, "en", "The card’s holder disputes this payment: answer in the service’s dashboard."),
    dispute_updated: (about) => tellDisputeLine(about, "en", "The dispute about this payment went on."),
    dispute_closed: (about) =>
      tellDisputeLine(about, "en", `The dispute about this payment is over${outcome(about, OUTCOMES.en)}.`),
  },
};

const french: Words = {
  noPayment: "Personne n’a encore essayé de payer cette commande.",
  who: { shopper: "Client", webhook: "Service", timer: "Contrôle", store: "Boutique", operator: "Commerçant" },
  headline: {
    intent: (amount) => `Un paiement de ${amount} se prépare.`,
    open: (amount) => `En attente d’un paiement de ${amount}.`,
    superseded: (amount) => `Un paiement plus récent remplace celui de ${amount}. Il reste surveillé.`,
    expired: (amount) => `La page de paiement de ${amount} a expiré. Un paiement tardif serait tout de même vu.`,
    closed: (amount) => `Aucun paiement de ${amount} n’est arrivé.`,
    verified: (amount) => `${amount} ont été payés. La boutique en est informée.`,
    recorded: (amount) => `${amount} ont été payés et la commande le montre.`,
    review: (amount) =>
      `De l’argent est arrivé pour cette commande de ${amount}, avec une différence. Le commerçant doit regarder.`,
    duplicate: (amount) => `Cette commande a été payée une seconde fois : ${amount} sont à rendre.`,
    refunding: (amount) => `${amount} sont en cours de remboursement.`,
    refunded: (amount) => `${amount} ont été remboursés.`,
  },
  finding: {
    amount_differs: (expected, found) => `Le montant payé diffère : ${expected} demandés, ${found} payés.`,
    currency_differs: (expected, found) => `La devise diffère : ${expected} demandé, ${found} payé.`,
    total_changed: (expected, found) =>
      `La commande a changé depuis le début du paiement : ${expected} alors, ${found} maintenant.`,
    order_gone: () => "La commande n’existe plus dans la boutique.",
    order_not_payable: (_, found) =>
      `La boutique ne peut pas prendre ce paiement : ${found === NOT_PAYABLE ? "annulée, épuisée ou close" : found}.`,
    other_session: () => "Le service a répondu avec une autre session.",
    other_reference: () => "La session porte une autre référence que celle de ce paiement.",
    other_environment: (expected, found) => `L’environnement diffère : ${expected} attendu, ${found} trouvé.`,
    other_account: () => "La session appartient à un autre compte.",
    not_verifiable: (expected) =>
      `Le paiement n’est pas vérifiable : la réponse du service ne dit pas « ${expected} ».`,
    paid_outside: (_, found) =>
      `La commande est marquée payée, mais pas par ce paiement (${paidOutside(found)}). Acceptez-le ou remboursez-le.`,
    not_paid: () => "Aucun paiement n’est arrivé dans le délai.",
    refund_failed: (amount) => `Le remboursement de ${amount} a échoué : l’argent est toujours là.`,
  },
  story: {
    started: () => "A choisi de payer.",
    opened: () => "La page de paiement a été ouverte.",
    refused: (why) => `Le service a refusé d’ouvrir une page de paiement : ${why}`,
    replaced: () => "Un paiement plus récent remplace celui-ci.",
    acted: () => "A choisi un moyen de paiement ; réponse attendue.",
    attempt_failed: (why) => `Un essai a échoué${reason(why, FAILURES.fr)}. Le client peut réessayer.`,
    cancelled: () => "A quitté la page de paiement. Rien n’est annulé : elle peut encore être payée.",
    unreadable: () => "Le service ne répond rien au sujet de cette page de paiement. Elle reste surveillée.",
    lapsed: () => "La page de paiement a expiré sans paiement.",
    closed: () => "Aucun paiement n’est arrivé dans le délai. Plus personne ne demande.",
    paid: (late) =>
      late === "" ? "Le service confirme : payé." : "Le service confirme : payé, après l’expiration de la page.",
    recorded: (evidence) =>
      evidence === "acknowledged" ? "La boutique a accusé réception du paiement." : "La commande est marquée payée.",
    duplicate: () => "La commande était déjà payée : c’est un second paiement.",
    accepted: (by) => `La différence a été acceptée (${by}).`,
    accepted_by_hand: (by) =>
      `La commande a été marquée payée dans la boutique (${by}) : la différence compte comme acceptée.`,
    refunded: () => "Le paiement a été remboursé.",
    refund_asked: (amount) => `A demandé de rendre ${amount}.`,
    refund_decided: (by) => `Décidé par : ${by}.`,
    refund_unknown: (amount) =>
      `Pas de réponse sur le remboursement de ${amount} ; la suite est vérifiée sans envoyer l’argent deux fois.`,
    refund_pending: (amount) => `Le remboursement de ${amount} est en cours.`,
    refund_completed: (amount) => `${amount} ont été remboursés.`,
    refund_failed: (amount) => `Le remboursement de ${amount} a échoué : l’argent est toujours là.`,
    store_unavailable: () => "La boutique est injoignable ; elle sera informée plus tard.",
    store_unknown: () => "La boutique n’a pas répondu à temps ; elle sera relue avant d’être informée à nouveau.",
    store_reconnect: () => "La boutique a refusé notre connexion : le commerçant doit la renouveler.",
    header_differs: (which) =>
      `L’en-tête et le corps d’un webhook se contredisaient (${which}) ; seul le corps signé compte.`,
    recovered: () => "Retrouvé auprès du service : ce registre l’avait perdu.",
    orphan: (event) => `Le service a signalé ${event} pour un paiement absent de ce registre.`,
    event: (event) => `Le service a signalé ${event}.`,
    dispute_created: (about) =>
      tellDisputeLine(about, "fr", "Le titulaire de la carte conteste ce paiement : répondez chez le service."),
    dispute_updated: (about) => tellDisputeLine(about, "fr", "La contestation de ce paiement a évolué."),
    dispute_closed: (about) =>
      tellDisputeLine(about, "fr", `La contestation de ce paiement est close${outcome(about, OUTCOMES.fr)}.`),
  },
};

function paidOutside(found: string): string {
  return found === PAID_BY_UNKNOWN
    ? "la boutique ne dit pas par quoi"
    : found.replace(SET_BY_OWNER, "marquée payée à la main").replace(" by ", " par ");
}

export const WORDS: Record<Language, Words> = { en: english, fr: french };

// "card_declined <transaction id>": people are told why, support finds the rest in the story itself.
function reason(detail: string, failures: Readonly<Record<string, string>>): string {
  const code = /^[a-z_]+(?= |$)/.exec(detail)?.[0];
  return code === undefined ? "" : ` (${failures[code] ?? code})`;
}

// "<dispute id> closed won"
function outcome(detail: string, outcomes: Readonly<Record<"won" | "lost", string>>): string {
  const said = /(?<= )(won|lost)$/.exec(detail)?.[0];
  return said === "won" || said === "lost" ? outcomes[said] : "";
}
