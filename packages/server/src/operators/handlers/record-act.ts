import type { OperatorAct } from "@tillkit/core/ledger";
import type { OperatorRequest } from "./operator-request.ts";

/**
 * Writes what an operator is about to do into the log of acts, before the act: an act that cannot be logged does not happen.
 * `detail` is a text of ours, such as an amount or a code, and never what somebody wrote. Without `by`, the act is logged under the name
 * of the operator's token.
 */
export async function recordAct(
  { ledger, engine, context }: Pick<OperatorRequest, "ledger" | "engine" | "context">,
  { by, ...act }: Omit<OperatorAct, "at" | "by"> & { readonly by?: string },
): Promise<void> {
  const name = by ?? context.operator.name ?? context.operator.tokenLabel;
  await ledger.recordAct({ at: engine.clock.now(), by: name, ...act });
}
