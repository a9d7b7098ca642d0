import { codeOf, recoverPayments } from "@tillkit/core";
import { describeRecovery } from "@tillkit/core/hosts";
import type { TillkitModule } from "./modules/tillkit/index.ts";
import { webhookUrl } from "./runtime/webhook-secrets.ts";
import type { MedusaContainer } from "./store/medusa-container.ts";

type Script = { readonly container: MedusaContainer; readonly args?: readonly string[] };
type Printer = { info(line: string): void };

/**
 * Run with `medusa exec` after Medusa's database was restored from a backup: adds the payments that the service has and the database
 * lacks, and refunds that are missing, then confirms each payment. A payment whose cart is still there places its order; the others
 * wait on *Payments to review*. Safe to repeat. Beside a running Medusa the two need a shared locking module.
 *
 * @param script `args[0]`: a time shortly before the backup, such as `2026-01-31T02:00:00Z`; a date alone means midnight UTC
 * @throws Error with one sentence
 */
export default async function recover({ container, args = [] }: Script): Promise<void> {
  const from = parseTime(args[0] ?? "");
  const { engine, options } = await (container.resolve("tillkit") as TillkitModule).runtime();
  const environment = options.apiKey.startsWith("svc_sk_live_") ? "live" : "test";
  const { id: credentialId, account } = await engine.tenants.credentialFor(options.storeId, environment);
  const print = (line: string) => (container.resolve("logger") as Printer).info(line);
  try {
    const url = webhookUrl(options);
    const endpoint = url === null ? {} : { endpoint: { id: options.endpointId, url } };
    const found = await recoverPayments(engine, { credentialId, account, environment, from, ...endpoint });
    print(`Recovery finished: ${describeRecovery(found)}`);
  } catch (error) {
    throw new Error(`The search failed (${codeOf(error)}): run it again, it does no harm.`);
  }
}

/** In milliseconds since 1970. A time without its time zone is rejected, because an error of an hour would miss payments. */
function parseTime(text: string): number {
  const isComplete = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const at = isComplete ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new Error("Name a time shortly before the backup was taken, with its time zone: 2026-01-31T02:00:00Z.");
}
