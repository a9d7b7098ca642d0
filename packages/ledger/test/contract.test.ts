import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { paymentLedgerContract } from "@tillkit/testkit/vitest";
import { afterAll } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "tillkit-ledger-"));
const secretKeys = ["a key of the tests, which is long enough"];
let fileNumber = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

paymentLedgerContract("the SQLite ledger in memory", { open: () => openLedger("sqlite::memory:", { secretKeys }) });

paymentLedgerContract("the SQLite ledger in a file", {
  open: () => {
    fileNumber += 1;
    return openLedger(`sqlite:${join(folder, `${fileNumber}.db`)}`, { secretKeys });
  },
});
