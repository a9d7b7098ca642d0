import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { NEW_PAYMENT_DEFAULTS, type PaymentHistory } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { bundleProgram, type Program } from "../../../test/programs/bundle-program.ts";

let program: Program;
beforeAll(async () => {
  program = await bundleProgram(new URL("programs/archive-history.ts", import.meta.url));
});
afterAll(() => program.remove());

const NOON = Date.UTC(2026, 0, 6, 12);
const IDS = Array.from({ length: 12 }, (_, index) => `p${index}`);
/** Each payment has two timeline entries and one webhook. */
const ROW_COUNT = 3 * IDS.length;

let folder: string;
let url: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-archive-"));
  url = `sqlite:${join(folder, "ledger.db")}`;
  const ledger = await openLedger(url);
  for (const id of IDS) {
    await ledger.commit({
      payment: { next: { ...NEW_PAYMENT_DEFAULTS, ...paymentOf(id) }, expect: "new" },
      timeline: (["opened", "recorded"] as const).map((kind) => ({ paymentId: id, at: NOON, actor: "webhook", kind })),
    });
    const key = { endpointId: "endpoint-1", digest: `digest of ${id}` };
    await ledger.receive([{ ...key, bytes: Buffer.from(id), receivedAt: NOON }]);
    await ledger.commit({
      processed: [{ ...key, outcome: "processed", paymentId: id, processedAt: NOON }],
      timeline: [],
    });
  }
  await ledger.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

it("an archive that is killed loses nothing, and the next archive takes the rest", async () => {
  expect(await archive("2")).toBe("SIGKILL");
  const { ledger, files } = await readRows();
  // The process died after the disk had the second step and before the ledger knew: these rows are in both places.
  expect([...files].filter((row) => ledger.has(row))).not.toEqual([]);
  expect(files.size).toBeLessThan(ROW_COUNT);
  expect(new Set([...ledger, ...files]).size).toBe(ROW_COUNT);

  expect(await archive()).toBe(0);
  const end = await readRows();
  expect([end.ledger.size, end.files.size]).toEqual([0, ROW_COUNT]);
});

async function archive(stepsBeforeKill?: string): Promise<number | string> {
  const args = [url, folder, String(NOON + 1), ...(stepsBeforeKill === undefined ? [] : [stepsBeforeKill])];
  const child = fork(program.file, args, { execArgv: [] });
  const [code, signal] = await once(child, "exit");
  return signal ?? code;
}

/** The timeline entries and webhooks in the ledger and in the files, as texts that identify them. */
async function readRows() {
  const files = new Set<string>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".gz"))) {
    const lines = gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trim()
      .split("\n");
    for (const line of lines) addRows(JSON.parse(line), files);
  }
  const rows = new Set<string>();
  const ledger = await openLedger(url);
  for (const paymentId of IDS) {
    const timeline = (await ledger.timeline({ paymentId })).filter(({ kind }) => kind !== "archived");
    const { rows: deliveries } = await ledger.listDeliveries({ paymentId, limit: 9 });
    addRows({ paymentId, timeline, deliveries }, rows);
  }
  await ledger.close();
  return { ledger: rows, files };
}

type Rows = Pick<PaymentHistory, "paymentId" | "timeline"> & { deliveries: readonly { digest: string }[] };

function addRows({ paymentId, timeline, deliveries }: Rows, into: Set<string>): void {
  for (const { kind } of timeline) into.add(`${paymentId} ${kind}`);
  for (const { digest } of deliveries) into.add(digest);
}

function paymentOf(id: string) {
  return {
    id,
    ref: { storeId: "hats", orderId: id },
    orderNumber: id,
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "credential-1",
    createdAt: NOON,
    amountDue: { minor: 5_000, currency: "XOF" },
    wireAmount: 5_000,
    request: "",
    reference: `${id}.0123456789abcdef`,
    session: null,
    state: "recorded",
  } as const;
}
