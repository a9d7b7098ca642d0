import { ask } from "./ask.ts";
import { bad, type Check, good } from "./check.ts";

/** What to do about an answer other than 401, by its HTTP status. */
export type RouteAdvice = Readonly<Record<number, string>>;

/**
 * Posts a webhook without a signature, which the route must refuse with 401: 2xx would mean that anybody can report payments, 404
 * that webhooks are lost.
 */
export async function checkWebhookRoute(url: string, advice: RouteAdvice = {}): Promise<Check> {
  const answer = await ask(url, "POST");
  if (answer?.status === 401) return good("webhook", `${url} refuses a webhook without a signature.`);
  if (answer === null) return bad("webhook", `${url} does not answer.`);
  if (answer.status < 300)
    return bad("webhook", `${url} accepts a webhook without a signature: something before the webhook route answers.`);
  const { code, message } = answer.facts;
  if (code === "body_already_read" && typeof message === "string") return bad("webhook", `${url}: ${message}`);
  const fix = advice[answer.status] ?? "check the path and the proxy";
  return bad("webhook", `${url} answers ${answer.status} to a webhook without a signature instead of 401: ${fix}.`);
}
