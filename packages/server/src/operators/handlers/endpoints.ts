import { performance } from "node:perf_hooks";
import { codeOf, type Engine } from "@tillkit/core";
import { deliveryFaultOf, type Service } from "@tillkit/core/hosts";
import { serverLimits } from "../../limits.ts";
import { endpointUrl } from "../../stores/open-tenants.ts";
import { endpointPage, type Unanswered } from "../pages/endpoint-page.ts";
import { type EndpointStatus, endpointsPage, type TestResult } from "../pages/endpoints-page.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, redirectTo } from "./operator-request.ts";
import { recordAct } from "./record-act.ts";

export async function showEndpoints(request: OperatorRequest): Promise<OperatorResponse> {
  const { ledger, publicUrl, context, query } = request;
  const { rows } = await ledger.listDeliveries({ limit: serverLimits.maxEndpointDeliveries });
  const endpoints = (await request.endpointIds()).map((id): EndpointStatus => {
    const ofEndpoint = rows.filter(({ endpointId }) => endpointId === id);
    const unused = ofEndpoint.filter(({ outcome }) => outcome === "unreadable" || outcome === "orphan").length;
    const url = endpointUrl(publicUrl, id);
    return { id, url, lastAt: ofEndpoint[0]?.receivedAt ?? null, count: ofEndpoint.length, unused };
  });
  return pageResponse(endpointsPage(endpoints, query, context));
}

/** Shows one endpoint as the service sees it, on a separate page because the service may answer slowly. */
export async function showEndpoint(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, publicUrl, context, id } = request;
  if (!(await request.endpointIds()).includes(id)) return redirectTo(request, "/endpoints?test=unknown");
  const url = endpointUrl(publicUrl, id);
  const query = { url, maxAttempts: serverLimits.maxShownAttempts, deadlineMs: serverLimits.endpointReadTimeoutMs };
  const reading = await askService(engine, id, ({ readEndpoint }) => readEndpoint?.(query));
  return pageResponse(endpointPage({ id, url, reading }, context));
}

/**
 * Asks the service to send a test event, and looks for the event in the ledger. This tests the whole way, from the service's own secret to
 * the storage. A test event that this server signed itself would prove nothing about the secret.
 */
export async function testEndpoint(request: OperatorRequest): Promise<OperatorResponse> {
  const { id } = request;
  if (!(await request.endpointIds()).includes(id)) return redirectTo(request, "/endpoints?test=unknown");
  await recordAct(request, { act: "test_webhook", paymentId: null, detail: id });
  const started = performance.now();
  const result = await sendTestEvent(request);
  const ms = Math.round(performance.now() - started);
  return redirectTo(request, `/endpoints?test=${result}&endpoint=${encodeURIComponent(id)}&ms=${ms}`);
}

async function sendTestEvent({ ledger, engine, publicUrl, id }: OperatorRequest): Promise<TestResult> {
  const url = endpointUrl(publicUrl, id);
  const sentAt = engine.clock.now();
  const tested = await askService(engine, id, ({ testEndpoint }) =>
    testEndpoint?.({ url, deadlineMs: serverLimits.endpointTestTimeoutMs }),
  );
  if (typeof tested === "string") return tested;
  if (!tested.isDelivered) return deliveryFaultOf(tested.attempt ?? {});
  const { rows } = await ledger.listDeliveries({ limit: serverLimits.maxEndpointDeliveries });
  const isStored = rows.some(({ endpointId, receivedAt }) => endpointId === id && receivedAt >= sentAt);
  return isStored ? "done" : "not_stored";
}

/** What the service answers about an endpoint; else why there is no answer. */
async function askService<Answer>(
  { tenants, log }: Engine,
  endpointId: string,
  ask: (service: Service) => Promise<Answer | null> | undefined,
): Promise<Answer | Unanswered> {
  const [credentialId] = (await tenants.endpoint(endpointId))?.credentialIds ?? [];
  if (credentialId === undefined) return "not_asked";
  try {
    const asked = ask(await tenants.service(credentialId));
    return asked === undefined ? "not_asked" : ((await asked) ?? "missing");
  } catch (error) {
    log.warn("operators.endpoint_not_read", { endpointId, code: codeOf(error) });
    return "no_answer";
  }
}
