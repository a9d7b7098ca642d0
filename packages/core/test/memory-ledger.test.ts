import { createMemoryLedger } from "@tillkit/core/memory";
import { paymentLedgerContract } from "@tillkit/testkit/vitest";

paymentLedgerContract("the memory ledger", { open: async () => createMemoryLedger() });
