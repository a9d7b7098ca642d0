export type { Ledger } from "@tillkit/core";
export { openLedger } from "./open-ledger.ts";
