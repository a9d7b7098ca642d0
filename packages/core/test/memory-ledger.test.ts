import { createMemoryLedger } from "@tillkit/core";
import { paymentLedgerContract } from "@tillkit/testkit/vitest";

paymentLedgerContract("the memory ledger", { open: async () => createMemoryLedger() });
