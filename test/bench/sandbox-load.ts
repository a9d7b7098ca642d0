// npm run bench -- sandbox [--long]: the cost of a checkout session in the sandbox, in memory and on disk; with --long, the
// memory growth after 200,000 sessions; and the size of the hosted page. The reference is an empty HTTP server, measured
// right before every slice. On a busy machine, compare CPU times and ratios, not calls per second.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createSessions } from "./create-sessions.ts";
import { type MeasuredServer, startServer } from "./measured-server.ts";
import { median, report } from "./report.ts";

const SLICES = 5;
const SESSIONS_A_SLICE = 2_000;
const WARM_UP_SESSIONS = 2_000;
const CONNECTIONS = 32;
const TARGET_SESSIONS_A_SECOND = 1_500;
const LONG_RUN_SESSIONS = 200_000;
const LONG_RUN_SAMPLES = 10;
const TARGET_PAGE_BYTES = 14 * 1024;
/** A script, picture, frame or style that a page loads by another request. */
const LOADED_FILE = /<(?:script|img|iframe)[^>]+src=|<link[^>]+stylesheet|@import|url\((?!["']?data:)/g;

const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
const reference = await startServer("empty");
try {
  await createSessions(reference, WARM_UP_SESSIONS, CONNECTIONS);
  await measureCreation("in memory", ":memory:");
  await measureCreation("on disk", join(folder, "sandbox"));
  await measurePage();
  if (process.argv.includes("--long")) await measureMemory(join(folder, "long"));
} finally {
  await reference.close();
  await rm(folder, { recursive: true, force: true });
}

type Slice = { cpuMs: number; perSecond: number };

async function measureCreation(where: string, data: string): Promise<void> {
  const sandbox = await startServer(data);
  await createSessions(sandbox, WARM_UP_SESSIONS, CONNECTIONS);
  for (const connections of [1, CONNECTIONS]) {
    // No target for a single caller: on disk, each of its sessions needs a commit of its own.
    const hasTarget = connections > 1;
    const slices: (Slice & { ratio: number })[] = [];
    for (let slice = 0; slice < SLICES; slice += 1) {
      const empty = await measureSlice(reference, connections);
      const measured = await measureSlice(sandbox, connections);
      slices.push({ ...measured, ratio: measured.cpuMs / empty.cpuMs });
    }
    const cpuMs = median(slices.map((slice) => slice.cpuMs));
    const ratio = median(slices.map((slice) => slice.ratio)).toFixed(1);
    const perSecond = Math.round(median(slices.map((slice) => slice.perSecond)));
    report(
      `session created ${where}, ${connections} at once`,
      `${cpuMs.toFixed(3)} ms of CPU = ${Math.round(1000 / cpuMs)}/s a core, ${ratio} × an empty server; wall ${perSecond}/s`,
      hasTarget ? `at least ${TARGET_SESSIONS_A_SECOND}/s a core` : "for information",
      !hasTarget || cpuMs <= 1000 / TARGET_SESSIONS_A_SECOND,
    );
  }
  await sandbox.close();
}

async function measureSlice(server: MeasuredServer, connections: number): Promise<Slice> {
  const before = await server.usage();
  const startedAt = performance.now();
  await createSessions(server, SESSIONS_A_SLICE, connections);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await server.usage();
  return { cpuMs: (after.cpuMs - before.cpuMs) / SESSIONS_A_SLICE, perSecond: SESSIONS_A_SLICE / seconds };
}

async function measurePage(): Promise<void> {
  const sandbox = await startServer(":memory:");
  const { baseUrl, key } = sandbox;
  const created = await fetch(`${baseUrl}/v1/checkout-sessions`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ amount: 25_000, currency_code: "XOF", title: "Commande 1042" }),
  });
  const { checkout_url } = (await created.json()) as { checkout_url: string };
  const page = await (await fetch(checkout_url, { headers: { "Accept-Language": "fr" } })).text();
  const bytes = gzipSync(page).length;
  const loadedFiles = page.match(LOADED_FILE) ?? [];
  report(
    "hosted page, gzip",
    `${bytes} bytes in ${1 + loadedFiles.length} request`,
    `at most ${TARGET_PAGE_BYTES} bytes in 1`,
    bytes <= TARGET_PAGE_BYTES && loadedFiles.length === 0,
  );
  await sandbox.close();
}

/** Checks that the second half of a long run needs no more memory than the first, except for 15 % of noise. */
async function measureMemory(data: string): Promise<void> {
  const sandbox = await startServer(data);
  const samples: number[] = [];
  for (let sample = 1; sample <= LONG_RUN_SAMPLES; sample += 1) {
    await createSessions(sandbox, LONG_RUN_SESSIONS / LONG_RUN_SAMPLES, CONNECTIONS);
    const { rssBytes } = await sandbox.usage();
    samples.push(rssBytes / 1024 / 1024);
    console.log(
      `  ${(sample * LONG_RUN_SESSIONS) / LONG_RUN_SAMPLES} sessions: ${(rssBytes / 1024 / 1024).toFixed(0)} MB resident`,
    );
  }
  const half = LONG_RUN_SAMPLES / 2;
  const before = Math.max(...samples.slice(0, half));
  const after = Math.max(...samples.slice(half));
  report(
    `memory over ${LONG_RUN_SESSIONS} sessions on disk`,
    `${before.toFixed(0)} MB at most in the first half, ${after.toFixed(0)} MB in the second`,
    "at most 15 % more",
    after <= before * 1.15,
  );
  await sandbox.close();
}
