import { type DeliveryFault, deliveryFaultOf, type EndpointTest } from "@tillkit/core/hosts";

/**
 * What a test event of the service shows about the address of its endpoint, for a doctor: one sentence that says what to do, or null where
 * the event was delivered. `own`: the host's own advice about a fault.
 */
export function endpointProblem(
  { isDelivered, attempt }: EndpointTest,
  url: string,
  own: Readonly<Partial<Record<DeliveryFault, string>>> = {},
): string | null {
  if (isDelivered) return null;
  const { httpStatus, error } = attempt ?? {};
  const sentence = { ...SENTENCES, ...own }[deliveryFaultOf({ httpStatus, error })];
  const detail = httpStatus === undefined ? (error ?? "no answer") : `${httpStatus}`;
  return `The service's test event to ${url} failed (${detail}): ${sentence}.`;
}

const SENTENCES: Readonly<Record<DeliveryFault, string>> = {
  signature:
    "the server refused its signature. The webhook secret in the server's configuration differs from the service's, or a proxy changes bodies or drops X-Service-Signature. Give the endpoint a new secret with tillkit webhooks rotate, put it into the configuration, and restart the server",
  refused: "check that the address is the one of the webhook route, and that proxies and firewalls let it through",
  moved: "the service follows no redirect, so register the address to which this one leads",
  failed: "the log of the server or of its proxy names the cause",
  unreachable:
    "the address must lead to the running server, from the internet too. Check DNS, certificate, proxy and firewall",
};
