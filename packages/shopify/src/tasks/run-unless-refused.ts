import { codeOf } from "@tillkit/core";
import type { HostJobResult } from "@tillkit/core/hosts";
import type { Job } from "@tillkit/core/ledger";
import type { AppContext } from "../app-context.ts";

/** Runs a task that calls Shopify. While Shopify refuses our token, one call at a time tries it, of a payment or of a task. */
export async function runUnlessRefused(
  context: AppContext,
  { id, storeId }: Pick<Job, "id" | "storeId">,
  run: (context: AppContext, shop: string) => Promise<HostJobResult>,
): Promise<HostJobResult> {
  const shop = storeId ?? "";
  const { storeBlocks } = context.engine;
  const answer = await storeBlocks.ask(shop, "write", id);
  if (typeof answer === "object") return { retryAt: answer.askAgainAt };
  try {
    return await run(context, shop);
  } catch (error) {
    if (codeOf(error) !== "reconnect") throw error;
    return { retryAt: await storeBlocks.refused(shop, "write") };
  }
}
