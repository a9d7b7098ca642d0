import { createServiceClient } from "@tillkit/client";
import {
  type AutoRefundReason,
  createEngine,
  createTenants,
  type Engine,
  type Environment,
  type Ledger,
  type Log,
  purposeKey,
  type RunResult,
  runDue,
  type StoreAdapter,
  systemClock,
  systemRandom,
  type Tenants,
} from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createMedusaAdapter } from "../adapter/medusa-adapter.ts";
import type { ReadOptions } from "../options/options.ts";
import type { MedusaContainer } from "../shop/medusa-container.ts";
import { createCreateClient } from "./create-client.ts";
import { createInTurn, type InTurn } from "./in-turn.ts";
import { createReturnLinks, type ReturnLinks, withToken } from "./return-links.ts";
import { webhookSecretsOf } from "./webhook-secrets.ts";
import { createWishes, type Wishes } from "./wishes.ts";
import { createWorkTimer, type WorkTimer } from "./work-timer.ts";

/** Everything that provider, routes and timer of one process share. */
export type Till = {
  readonly options: ReadOptions;
  readonly container: MedusaContainer;
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly store: StoreAdapter;
  readonly links: ReturnLinks;
  readonly wishes: Wishes;
  readonly inTurn: InTurn;
  readonly timer: WorkTimer;
  readonly log: Log;
  close(): Promise<void>;
};

/** With onOrphan "refund": money that arrived for a cart that nobody can complete goes back by itself. */
const ORPHANS: readonly AutoRefundReason[] = ["duplicate", "order_gone", "order_not_payable"];

export type OpenTill = {
  readonly options: ReadOptions;
  readonly container: MedusaContainer;
  readonly databaseUrl: string;
  readonly log: Log;
};

/** @throws DatabaseError; CheckoutError `configuration_invalid`; ServiceError when the webhook cannot be registered */
export async function openTill(wanted: OpenTill): Promise<Till> {
  const { keys, databaseSchema } = wanted.options;
  const schema = databaseSchema === "public" ? undefined : databaseSchema;
  const ledger = await openLedger(wanted.databaseUrl, { secretKeys: keys, schema });
  try {
    // So that an old key can be dropped once every process knows the new one.
    if (keys.length > 1) await ledger.resealSecrets();
    return await tillOn(ledger, wanted);
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function tillOn(ledger: Ledger, { options, container, log }: OpenTill): Promise<Till> {
  const { storeId, keys, apiKey, language, onMismatch, returnUrl, cancelUrl } = options;
  const environment = apiKey.startsWith("svc_sk_live_") ? "live" : "test";
  const { origin: shopUrl } = new URL(returnUrl);
  const store = createMedusaAdapter({ container, storeId, environment, language, shopUrl, onMismatch, log });
  const links = createReturnLinks(keys, systemClock);
  const wishes = createWishes();
  const [newest = "", ...older] = keys.map((key) => purposeKey(key, "reference"));
  const engine = createEngine({
    ledger,
    tenants: await tenantsOf(options, environment, ledger, log),
    store: async () => store,
    clock: systemClock,
    random: systemRandom,
    log,
    referenceKeys: [newest, ...older],
    returnUrls: ({ id, attempt }) => {
      const wish = wishes.of(attempt);
      const token = links.sign(id);
      const success = wish?.returnUrl ?? returnUrl;
      return {
        success: withToken(success, token),
        cancel: withToken(wish?.cancelUrl ?? cancelUrl ?? success, token),
      };
    },
    amountUnit: options.amountUnit,
    autoRefund: options.onOrphan === "refund" ? ORPHANS : [],
  });
  const timer = createWorkTimer(async () => touched(await runDue(engine)), systemClock, log);
  const stopHearing = ledger.onNewJobs?.(timer.kick);

  return {
    ...{ options, container, engine, ledger, store, links, wishes, timer, log },
    inTurn: createInTurn(),
    async close() {
      stopHearing?.();
      await timer.close();
      await ledger.close();
    },
  };
}

async function tenantsOf(options: ReadOptions, environment: Environment, ledger: Ledger, log: Log): Promise<Tenants> {
  const { storeId, apiKey, baseUrl, endpointId, serviceAccount: account } = options;
  const client = createServiceClient({ apiKey, baseUrl, account });
  const clocks = { clock: systemClock, random: systemRandom };
  const webhookSecrets = await webhookSecretsOf({ options, environment, ledger, client, log, ...clocks });
  // Named after its endpoint: payments opened with an old key are read with the new one once the key was changed.
  const id = `${endpointId}-${environment}`;
  const credential = { id, storeIds: [storeId], apiKey, baseUrl, account, endpointId, webhookSecrets };
  return createTenants({ credentials: [credential], createClient: createCreateClient(options, ledger, log) });
}

function touched({ done, retried, dead }: RunResult): number {
  return done + retried + dead;
}
