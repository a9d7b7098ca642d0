// A process of its own on shared ledgers: runs the errands that it is sent, until its parent leaves.
import { openLedger } from "@tillkit/ledger";
import type { CallPlan } from "./observed-call.ts";
import { runCalls } from "./run-calls.ts";

const ledgers = await Promise.all(process.argv.slice(2).map((url) => openLedger(url)));

// Ctrl-C reaches the whole terminal; the parent decides.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());
process.on("message", async (message) => {
  const { place, plan } = message as { place: number; plan: CallPlan };
  const ledger = ledgers[place];
  if (!ledger) throw new Error(`There is no ledger ${place}.`);
  process.send?.(await runCalls(ledger, plan));
});
process.send?.("ready");
