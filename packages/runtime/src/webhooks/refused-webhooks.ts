import { codeOf, type Engine, type PaymentLedger, safeText } from "@tillkit/core";
import { namesOurPayment } from "@tillkit/core/hosts";
import { variableOf } from "../config/variable-of.ts";
import { canList } from "../ledger/ledger-capabilities.ts";
import { runtimeLimits } from "../limits.ts";
import { createThrottledLog } from "../logs/throttled-log.ts";

/** `code`: the code of the answer. `bytes`: the body, where it was read. */
export type WebhookRefusal = { readonly endpointId: string; readonly code: string; readonly bytes?: Uint8Array };

/**
 * An endpoint whose webhooks are refused although they are about our payments. `lastAt`: when the last one was refused. `setting`: the
 * environment variable of the webhook secret; null where the secret comes from elsewhere.
 */
export type RefusedEndpoint = { readonly endpointId: string; readonly lastAt: number; readonly setting: string | null };

export type RefusedWebhooks = {
  /** Logs a refused webhook, at most once a minute for each code, and stores that the webhooks of an endpoint are refused. */
  record(refusal: WebhookRefusal): void;
  /** The endpoints of which no webhook was accepted since one about a payment was refused, by this process or another on the same ledger. */
  list(): Promise<readonly RefusedEndpoint[]>;
};

/** The rows belong to no store. */
const STORE = "";
const KIND = "refused_webhooks";

export function createRefusedWebhooks(engine: Engine): RefusedWebhooks {
  const { clock, log, ledger, tenants } = engine;
  const throttledLogs = new Map<string, ReturnType<typeof createThrottledLog>>();
  const storedAt = new Map<string, number>();
  let examinedAt = Number.NEGATIVE_INFINITY;

  async function settingOf(endpointId: string): Promise<string | null> {
    const { secrets = [] } = (await tenants.endpoint(endpointId)) ?? {};
    return secrets.map((secret) => variableOf(secret)).find((name) => name !== null) ?? null;
  }

  async function logRefusal({ endpointId, code }: WebhookRefusal): Promise<void> {
    const setting = await settingOf(endpointId);
    const advice = ADVICE[code]?.(setting ?? "webhookSecrets");
    log.warn("webhook.refused", { endpointId: safeText(endpointId), code, ...(advice ? { fix: advice } : {}) });
  }

  // A stranger can send any number of bodies, so they are looked up at most once a second.
  function mayExamine({ endpointId, code }: WebhookRefusal): boolean {
    const now = clock.now();
    if (code !== "signature_invalid" || isWithin(storedAt.get(endpointId), runtimeLimits.repeatedLogIntervalMs, now))
      return false;
    if (isWithin(examinedAt, runtimeLimits.refusalIntervalMs, now)) return false;
    examinedAt = now;
    return true;
  }

  async function examine({ endpointId, bytes }: WebhookRefusal): Promise<void> {
    if (bytes === undefined || !canList(ledger) || !(await namesOurPayment(engine, { endpointId, bytes }))) return;
    const lastAt = clock.now();
    storedAt.set(endpointId, lastAt);
    const row = await ledger.records.get(STORE, KIND, endpointId);
    await ledger.records.put(STORE, KIND, endpointId, { lastAt }, row?.version ?? "new");
  }

  return {
    record(refusal) {
      const { code } = refusal;
      const throttled = throttledLogs.get(code) ?? createThrottledLog(clock);
      throttledLogs.set(code, throttled);
      const ignoreFailure = (error: unknown) => log.warn("webhook.refusal_not_stored", { code: codeOf(error) });
      throttled(() => void logRefusal(refusal).catch(ignoreFailure));
      if (mayExamine(refusal)) void examine(refusal).catch(ignoreFailure);
    },
    async list() {
      const endpoints = await readRefused(ledger, clock.now());
      const known = await Promise.all(
        endpoints.map(async (endpoint) => {
          const isConfigured = (await tenants.endpoint(endpoint.endpointId)) !== null;
          return isConfigured ? [{ ...endpoint, setting: await settingOf(endpoint.endpointId) }] : [];
        }),
      );
      return known.flat();
    },
  };
}

const ADVICE: Readonly<Record<string, (setting: string) => string>> = {
  signature_invalid: (setting) =>
    `${setting} is not the service's secret of this endpoint, or something on the way changes the body: rotate the secret with tillkit webhooks rotate, set the new one and restart.`,
  signature_missing: () =>
    "Nothing, if a stranger sent it. If the service did, a proxy removes the header X-Service-Signature: let it pass.",
  signature_repeated: () => "A proxy repeats the header X-Service-Signature: let it pass once.",
  endpoint_unknown: () =>
    "No endpoint of this name is configured: compare the address that is registered at the service with endpointId.",
};

async function readRefused(ledger: PaymentLedger, now: number): Promise<readonly Omit<RefusedEndpoint, "setting">[]> {
  if (!canList(ledger)) return [];
  const rows = await ledger.records.list({ kind: KIND, storeId: STORE, limit: runtimeLimits.maxRefusedEndpoints });
  const refused = rows
    .map(({ key, value }) => ({ endpointId: key, lastAt: (value as { readonly lastAt: number }).lastAt }))
    .filter(({ lastAt }) => isWithin(lastAt, runtimeLimits.refusalKeptMs, now));
  if (refused.length === 0) return [];
  const { rows: deliveries } = await ledger.listDeliveries({ limit: runtimeLimits.maxComparedDeliveries });
  return refused.filter(
    ({ endpointId, lastAt }) =>
      !deliveries.some((delivery) => delivery.endpointId === endpointId && delivery.receivedAt > lastAt),
  );
}

/** False also for a time in the future: it was read from a clock that was ahead. */
function isWithin(at: number | undefined, durationMs: number, now: number): boolean {
  return at !== undefined && at <= now && now - at < durationMs;
}
