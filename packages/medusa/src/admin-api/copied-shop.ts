import { type FoundCopy, listCopies } from "@tillkit/core/hosts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import type { AdminRequest } from "./admin-request.ts";

/** The address at which this shop looks like a copy, about which a person must answer; null where there is none. */
export async function findCopy({ ledger }: Pick<CheckoutRuntime, "ledger">): Promise<FoundCopy | null> {
  return (await listCopies(ledger.records)).find(({ storeId }) => storeId === "") ?? null;
}

/** `answer`: `moved`, the shop is at this address too, or `copy`. Null: nobody asks about this address. */
export async function answerAboutCopy(
  { runtime, by }: AdminRequest,
  { address, answer }: Readonly<Record<string, unknown>>,
): Promise<object | null> {
  const { ledger, engine } = runtime;
  const copy = await findCopy(runtime);
  if (copy === null || copy.address !== address || (answer !== "moved" && answer !== "copy")) return null;
  await ledger.recordAct({
    at: engine.clock.now(),
    by,
    act: `installation_${answer}`,
    paymentId: null,
    detail: copy.address,
  });
  await engine.installations.answer("", `https://${copy.address}`, answer);
  return { answer };
}
