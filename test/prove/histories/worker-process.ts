// A worker process on shared ledgers. It runs the plans that its parent sends until the parent disconnects.
import { openLedger } from "@tillkit/ledger";
import type { CallPlan } from "./observed-call.ts";
import { runCalls } from "./run-calls.ts";

const ledgers = await Promise.all(process.argv.slice(2).map((url) => openLedger(url)));

// Ctrl-C also reaches this process; the parent decides when it stops.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());
process.on("message", async (message) => {
  const { ledgerIndex, plan } = message as { ledgerIndex: number; plan: CallPlan };
  const ledger = ledgers[ledgerIndex];
  if (!ledger) throw new Error(`There is no ledger ${ledgerIndex}.`);
  process.send?.(await runCalls(ledger, plan));
});
process.send?.("ready");
