// npm run bench -- patroni [<rounds of each kind>]: T10's rounds with Patroni, which itself notices the death and promotes the standby.
// It takes a minute a round, so it is no tier. It needs the Debian packages postgresql, patroni and etcd-server.
import { spawnSync } from "node:child_process";
import type { Pair } from "../pair.ts";
import { type Kind, playRound } from "../rounds.ts";
import { openPatroniPair } from "./patroni-pair.ts";

/** Patroni needs its `ttl` of 20 s and a round of its loop to replace a silent leader. */
const MAX_STALL_MS = 45_000;
/** The time in which an old leader that wakes up could take the lead back and undo what was written meanwhile. */
const WRITE_ON_MS = 25_000;

const exam: readonly { readonly name: string; readonly kind: Kind; open(): Promise<Pair> }[] = [
  { name: "killed with its disk", kind: "killed", open: openPatroniPair },
  { name: "silent for ever", kind: "silent", open: openPatroniPair },
  { name: "silent, and back after the standby took over", kind: "silent", open: openThawingPair },
  { name: "killed, and started again", kind: "old primary returns", open: openPatroniPair },
];

const rounds = Number(process.argv[2] ?? 1);
const missing = ["patroni", "etcd"].filter((name) => spawnSync(name, ["--version"]).error);
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(", ")}. Install the Debian packages postgresql, patroni and etcd-server.`);
  process.exit(2);
}
let violations = 0;
for (let round = 0; round < rounds; round += 1)
  for (const { name, kind, open } of exam) {
    const result = await playRound(kind, 200, { open, maxStallMs: MAX_STALL_MS, writeOnMs: WRITE_ON_MS });
    const { acknowledged, lost, failed, settled, stalledMs } = result;
    const figures = `${acknowledged} acknowledged, ${lost} lost, ${failed} calls without success, ${settled} happened without an answer`;
    console.log(`${name}: ${figures}, longest without a write ${Math.round(stalledMs)} ms`);
    for (const violation of result.violations) console.log(`  VIOLATION ${violation}`);
    violations += result.violations.length;
  }
console.log(`${violations} violations in ${rounds * exam.length} rounds`);
process.exit(violations === 0 ? 0 : 1);

/** The old leader wakes up as soon as there is a new one. */
async function openThawingPair(): Promise<Pair> {
  const pair = await openPatroniPair();
  return {
    ...pair,
    async takeOver() {
      await pair.takeOver();
      pair.primary.thaw();
    },
  };
}
