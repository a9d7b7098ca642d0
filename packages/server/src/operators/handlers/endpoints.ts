import { createHash, randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { signWebhook } from "@tillkit/client/webhooks";
import { codeOf, type Engine } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { endpointUrl } from "../../stores/open-tenants.ts";
import { endpointPage, type ShownReading } from "../pages/endpoint-page.ts";
import { type EndpointStatus, endpointsPage } from "../pages/endpoints-page.ts";
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
  return pageResponse(endpointPage({ id, url, reading: await readEndpoint(engine, id, url) }, context));
}

async function readEndpoint({ tenants, log }: Engine, id: string, url: string): Promise<ShownReading> {
  const [credentialId] = (await tenants.endpoint(id))?.credentialIds ?? [];
  if (credentialId === undefined) return "not_asked";
  const query = { url, maxAttempts: serverLimits.maxShownAttempts, deadlineMs: serverLimits.endpointReadTimeoutMs };
  try {
    const service = await tenants.service(credentialId);
    if (service.readEndpoint === undefined) return "not_asked";
    return (await service.readEndpoint(query)) ?? "missing";
  } catch (error) {
    log.warn("operators.endpoint_not_read", { endpointId: id, code: codeOf(error) });
    return "no_answer";
  }
}

/**
 * Sends a signed test event to the public address, as the service would, and looks for the event in the ledger. This tests the whole
 * way: host name, certificate, proxy, signature and storage.
 */
export async function testEndpoint(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, id } = request;
  const endpoint = (await request.endpointIds()).includes(id) ? await engine.tenants.endpoint(id) : null;
  const secret = endpoint?.secrets[0];
  if (secret === undefined) return redirectTo(request, "/endpoints?test=unknown");
  await recordAct(request, { act: "test_webhook", paymentId: null, detail: id });
  const started = performance.now();
  const result = await sendTestEvent(request, secret);
  const ms = Math.round(performance.now() - started);
  return redirectTo(request, `/endpoints?test=${result}&endpoint=${encodeURIComponent(id)}&ms=${ms}`);
}

async function sendTestEvent({ ledger, engine, publicUrl, id }: OperatorRequest, secret: string): Promise<string> {
  const now = new Date(engine.clock.now()).toISOString();
  const bytes = Buffer.from(JSON.stringify({ id: randomUUID(), event: "test.webhook", timestamp: now, data: {} }));
  const headers = { "Content-Type": "application/json", "X-Service-Signature": signWebhook(bytes, secret) };
  const signal = AbortSignal.timeout(serverLimits.endpointTestTimeoutMs);
  const sending = fetch(endpointUrl(publicUrl, id), {
    method: "POST",
    body: bytes,
    headers,
    signal,
    redirect: "manual",
  });
  const answer = await sending.catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
  if (answer === null) return "unreachable";
  if (answer.status !== 200) return "refused";
  const digest = createHash("sha256").update(bytes).digest("hex");
  return (await ledger.delivery(id, digest)) === null ? "not_stored" : "done";
}
