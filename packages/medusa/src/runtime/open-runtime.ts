import {
  createEngine,
  type Engine,
  type Ledger,
  type Log,
  type StoreAdapter,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { purposeKey } from "@tillkit/core/hosts";
import { openLedger } from "@tillkit/ledger";
import {
  createCorrelation,
  createEngineRunner,
  createSignedTokens,
  type RefusedWebhooks,
  type SignedTokens,
  type WebhookHandler,
  type WorkTimer,
} from "@tillkit/runtime";
import { adminPageOf } from "../adapter/admin-page.ts";
import { createMedusaAdapter } from "../adapter/medusa-adapter.ts";
import type { ResolvedOptions } from "../options/options.ts";
import type { MedusaContainer } from "../store/medusa-container.ts";
import { createKeyedMutex, type KeyedMutex } from "./keyed-mutex.ts";
import { openTenants } from "./open-tenants.ts";
import { createRequestedReturnPages, type RequestedReturnPages } from "./requested-return-pages.ts";
import { withCountry, withReturnToken } from "./return-url.ts";

/** What provider, routes and work timer of one process share. */
export type CheckoutRuntime = {
  readonly options: ResolvedOptions;
  readonly container: MedusaContainer;
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly store: StoreAdapter;
  /** Signs payment ids for return URLs. */
  readonly returnTokens: SignedTokens<"return">;
  readonly returnPages: RequestedReturnPages;
  readonly refundMutex: KeyedMutex;
  readonly handleWebhook: WebhookHandler;
  readonly refusedWebhooks: RefusedWebhooks;
  readonly workTimer: WorkTimer;
  readonly log: Log;
  /** Logs a step of a payment when the option `debug` is set. */
  readonly debug: Log["info"];
  close(): Promise<void>;
};

export type RuntimeInput = {
  readonly options: ResolvedOptions;
  readonly container: MedusaContainer;
  readonly databaseUrl: string;
  readonly log: Log;
  /** The address of Medusa's admin as Medusa's config names it; the option `adminUrl` comes first. */
  readonly adminUrl?: string | null;
};

/** @throws DatabaseError; CheckoutError `configuration_invalid`; ServiceError when the webhook cannot be registered */
export async function openRuntime(input: RuntimeInput): Promise<CheckoutRuntime> {
  const { keys, databaseListenUrl, databaseSchema } = input.options;
  const schema = databaseSchema === "public" ? undefined : databaseSchema;
  const { databaseUrl, log } = input;
  const ledger = await openLedger(databaseUrl, { secretKeys: keys, schema, listenUrl: databaseListenUrl, log });
  try {
    // The stored secrets are then encrypted with the newest key, so the older keys can be removed once every process has it.
    if (keys.length > 1) await ledger.reencryptSecrets();
    return await createRuntime(ledger, input);
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function createRuntime(ledger: Ledger, { options, container, ...input }: RuntimeInput): Promise<CheckoutRuntime> {
  const { storeId, keys, apiKey, language, onMismatch, returnUrl, cancelUrl } = options;
  const adminUrl = options.adminUrl ?? input.adminUrl ?? null;
  const correlation = createCorrelation();
  const log = correlation.log(input.log);
  const environment = apiKey.startsWith("svc_sk_live_") ? "live" : "test";
  const { origin: storeUrl } = new URL(returnUrl);
  const store = createMedusaAdapter({ container, storeId, environment, language, storeUrl, onMismatch, log, ledger });
  const [newestKey = "", ...olderKeys] = keys;
  const returnTokens = createSignedTokens<"return">([newestKey, ...olderKeys], systemClock);
  const returnPages = createRequestedReturnPages();
  const engine = createEngine({
    ledger,
    tenants: await openTenants({ options, environment, ledger, log }),
    store: async () => store,
    clock: systemClock,
    random: systemRandom,
    log,
    referenceKeys: [purposeKey(newestKey, "reference"), ...olderKeys.map((key) => purposeKey(key, "reference"))],
    returnUrls: ({ id, attempt }) => {
      const pages = returnPages.get(attempt);
      const token = returnTokens.sign("return", id);
      const successPage = pages?.returnUrl ?? returnUrl;
      const cancelPage = pages?.cancelUrl ?? cancelUrl ?? successPage;
      const toReturnUrl = (page: string) => withReturnToken(withCountry(page, pages?.country ?? null), token);
      return { success: toReturnUrl(successPage), cancel: toReturnUrl(cancelPage) };
    },
    publicUrl: storeUrl,
    amountUnit: options.amountUnit,
    autoRefund: options.autoRefund,
    decisionUrl: ({ id }) => adminPageOf(adminUrl, id),
  });
  const original = await engine.installations.originalOf("", storeUrl);
  if (original !== null) log.error("installation.looks_like_copy", { original, storeUrl });
  const bodyParserAdvice = "exclude /tillkit/webhooks/ from body parsing.";
  const runner = createEngineRunner({ engine, correlation, bodyParserAdvice });
  const { timer: workTimer, handleWebhook, refusedWebhooks } = runner;

  return {
    ...{
      options,
      container,
      engine,
      ledger,
      store,
      returnTokens,
      returnPages,
      handleWebhook,
      refusedWebhooks,
      workTimer,
      log,
    },
    refundMutex: createKeyedMutex(),
    debug: (message, fields) => (options.debug ? log.info(message, fields) : undefined),
    async close() {
      await runner.close();
      await ledger.close();
    },
  };
}
