import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { processesShareALedger } from "./processes-share-a-ledger.ts";

const folder = mkdtempSync(join(tmpdir(), "tillkit-ledger-"));
let fileNumber = 0;
beforeEach(() => {
  fileNumber += 1;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

processesShareALedger("in a SQLite file", () => `sqlite:${join(folder, `${fileNumber}.db`)}`);
