import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { runDue } from "@tillkit/core";
import type { LedgerArchive, PaymentHistory } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { archiveHistory } from "@tillkit/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN, type Operator, textOf } from "./fixtures/operator.ts";

const DAY_MS = 86_400_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-archive-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function readArchive(name: string): readonly PaymentHistory[] {
  const lines = gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("the operators' pages of an archived payment", () => {
  let merchant: MerchantFixture;
  let operator: Operator;
  let paymentId: string;
  beforeEach(async () => {
    merchant = await openMerchant({ options: { operators: { tokens: [OPERATOR_TOKEN] } } });
    const { paymentId: id, returnPath } = await merchant.startPayment();
    paymentId = id;
    merchant.service.newest().status = "completed";
    await merchant.get(returnPath);
    await merchant.clock.advance(40 * DAY_MS);
    while ((await runDue(merchant.checkout.engine)).done > 0);
    operator = await logInOperator(merchant);
  });
  afterEach(() => merchant.close());
  afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

  const readPage = async (path: string) => await textOf(await operator.open(`/operators${path}`));
  const archive = async () => {
    const at = merchant.clock.now();
    const archived = await archiveHistory(merchant.ledger, { before: at - 30 * DAY_MS, at, folder });
    expect(archived.payments).toBe(1);
    return archived.file?.slice(folder.length + 1) ?? "";
  };

  it("the page says when and where the history was archived, in English and French", async () => {
    expect(await readPage(`/payments/${paymentId}`)).toContain("The order is marked paid.");
    const name = await archive();
    const page = await readPage(`/payments/${paymentId}`);
    expect(page).not.toContain("The order is marked paid.");
    expect(page).toContain(`Everything before this was archived, in ${name}.`);
    expect(page).toMatch(/14 Feb 2026, 09:00:00 UTC\s*·\s*Merchant\s*Everything before this/);
    await operator.open("/operators?lang=fr");
    expect(await readPage(`/payments/${paymentId}`)).toContain(`Tout ce qui précède a été archivé, dans ${name}.`);
    expect(readArchive(name).map((history) => history.paymentId)).toEqual([paymentId]);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it("lists, figures and exports are the same before and after the archive", async () => {
    const read = async () => [
      await readPage("/payments"),
      await readPage("?period=90d"),
      await merchant.ledger.paymentStatistics({ bars: [0], until: merchant.clock.now() }),
      await (await operator.open("/operators/export.csv?from=2026-01-01&until=2026-12-31")).text(),
    ];
    const before = await read();
    expect(before.at(-1)).toContain(paymentId);
    await archive();
    expect(await read()).toEqual(before);
  });
});

it("an archive of nothing leaves no file", async () => {
  const archived = await archiveHistory(createMemoryLedger(), { before: 1, at: 2, folder });
  expect(archived).toEqual({ payments: 0, deliveries: 0, timelineEntries: 0, file: null });
  expect(readdirSync(folder)).toEqual([]);
});

it("an archive whose folder is missing fails, and the ledger keeps its history", async () => {
  const ledger = createMemoryLedger();
  await ledger.commit({ timeline: [{ paymentId: "p1", at: 0, actor: "timer", kind: "closed" }] });
  const missing = join(folder, "missing");
  await expect(archiveHistory(ledger, { before: 1, at: 2, folder: missing })).rejects.toThrow("ENOENT");
  expect(await ledger.timeline({ paymentId: "p1" })).toHaveLength(1);
});

it("the histories that were written before an archive failed can be read from its file", async () => {
  const history = { paymentId: "p1", ref: null, timeline: [], deliveries: [] };
  const failing: LedgerArchive = {
    async archive({ write, after }) {
      if (after !== undefined) throw new Error("The database is gone.");
      await write([history]);
      return { payments: 1, deliveries: 0, timelineEntries: 0, next: "more" };
    },
  };
  await expect(archiveHistory(failing, { before: 1, at: 2, folder })).rejects.toThrow("The database is gone.");
  expect(readdirSync(folder).flatMap(readArchive)).toEqual([history]);
});
