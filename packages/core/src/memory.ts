export { createMemoryLedger, type MemoryLedger } from "./memory-ledger/memory-ledger.ts";
