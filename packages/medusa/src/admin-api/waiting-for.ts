import type { JobError, Language, Payment } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/** What a received payment waits for until its order exists. `retry_at`: the next try, in milliseconds since 1970. */
export type WaitingFor = { readonly text: string; readonly retry_at: number | null };

/** How many jobs of a payment are read to find the job that confirms it. */
const JOBS_READ = 20;

/**
 * Null when the payment waits for nothing.
 * @param error why the request that is being answered did not finish; the payment's job has not failed yet then
 */
export async function readWaitingFor(
  { ledger }: Pick<CheckoutRuntime, "ledger">,
  { id, state }: Payment,
  language: Language,
  error: JobError | null = null,
): Promise<WaitingFor | null> {
  if (state !== "verified") return null;
  const { rows } = await ledger.listJobs({ paymentId: id, limit: JOBS_READ });
  const confirming = rows.filter(({ kind }) => kind === "confirm");
  const job = confirming.find((one) => one.error !== null) ?? confirming[0];
  const reason = error ?? job?.error ?? null;
  return reason && { text: textOf(reason, language), retry_at: job?.readyAt ?? null };
}

function textOf({ code, reason }: JobError, language: Language): string {
  const texts = language === "fr" ? french : english;
  const text = texts[code] ?? texts.other ?? "";
  return text.replace("{type}", reason === undefined ? "" : ` (${reason.code})`).replace("{code}", code);
}

type Texts = Readonly<Record<string, string>>;

const english: Texts = {
  unavailable: "Medusa has not completed the cart{type}. Its log shows the reason.",
  unknown: "Medusa did not answer in time. The order is read before the next try.",
  busy: "Another process is writing this order.",
  stale: "Another process is writing this order.",
  write_in_flight: "An earlier try may still take effect.",
  unreadable: "The payment service does not show this payment as paid at the moment.",
  service_unavailable: "The payment service does not answer.",
  other: "The last try failed ({code}). Medusa’s log shows the reason.",
};

const french: Texts = {
  unavailable: "Medusa n’a pas encore validé le panier{type}. Son journal en donne la raison.",
  unknown: "Medusa n’a pas répondu à temps. La commande sera relue avant la prochaine tentative.",
  busy: "Un autre processus enregistre cette commande.",
  stale: "Un autre processus enregistre cette commande.",
  write_in_flight: "Une tentative précédente peut encore aboutir.",
  unreadable: "Le service de paiement n’indique pas ce paiement comme payé pour le moment.",
  service_unavailable: "Le service de paiement ne répond pas.",
  other: "La dernière tentative a échoué ({code}). Le journal de Medusa en donne la raison.",
};
