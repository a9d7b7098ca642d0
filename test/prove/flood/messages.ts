/** Secrets and personal data that both processes use and no output may contain. */
export const SECRET = "whsec_5f1d7a0c9b3e4f6280d1c2b3a4958677";
export const API_KEY = "svc_sk_test_9f8e7d6c5b4a39281706f5e4d3c2b1a0";
export const ENDPOINT = "boutique-test";
export const CUSTOMER = { name: "Awa Diop", email: "awa.diop@example.test", phone: "+221770001234" };

/**
 * The work of the merchant's process. `start` opens `count` payments, `work` starts the timer. A request has a number under the name
 * of the work, which matters only for `start`; a request without a name does nothing. Every request is answered with the usage.
 */
export type Work = { start(count: number): Promise<void>; work(): Promise<void>; close(): Promise<void> };
/** CPU time of all threads; memory as the resident set size. */
export type Usage = { readonly rssMb: number; readonly cpuMs: number };
export type ProcessMessage = { readonly url: string } | Usage;

/** Returns the secrets and personal data that a text contains. */
export function findSecrets(text: string): readonly string[] {
  return [SECRET, API_KEY, ...Object.values(CUSTOMER)].filter((word) => text.includes(word));
}
