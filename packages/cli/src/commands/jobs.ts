import type { StoredJob } from "@tillkit/core";
import type { Command } from "../command.ts";
import { everyJob } from "../every-job.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import { timeText } from "../time-text.ts";

const MOST = 100;

export const jobs: Command = {
  name: "jobs",
  summary: "List work that is still to do, or work that was given up because a person has to look",
  words: [],
  options: {
    ...ledgerOptions,
    dead: { says: "only what was given up; replay it once the cause is gone" },
    store: { value: "store id", says: "only of this store" },
    json: { says: "one JSON object a line, all of them" },
  },
  example: "tillkit jobs --dead --ledger sqlite:.tillkit/ledger.db",
  async run(line, terminal) {
    const { values, switches } = line;
    const storeId = values.get("store");
    const want: { dead?: boolean; storeId?: string } = {
      ...(switches.has("dead") ? { dead: true } : {}),
      ...(storeId === undefined ? {} : { storeId }),
    };
    const isJson = switches.has("json");
    await withLedger(line, async (ledger) => {
      let shown = 0;
      for await (const job of everyJob(ledger, want)) {
        shown += 1;
        if (shown > MOST && !isJson) return terminal.log(`These are the newest ${MOST}; --json lists all.`);
        terminal.log(isJson ? jsonOf(job) : lineOf(job));
      }
      if (shown === 0 && !isJson) terminal.log(want.dead ? "No work is parked." : "There is no work to do.");
    });
  },
};

function lineOf({ id, kind, paymentId, attempts, readyAt, error }: StoredJob): string {
  const when = readyAt === null ? "given up" : `next try ${timeText(readyAt)}`;
  const about = paymentId === null ? "" : `  payment ${paymentId}`;
  return [`${id}  ${kind}${about}  ${when}, tries ${attempts}`, ...(error === null ? [] : [`  ${error}`])].join("\n");
}

// Not the payload: a platform may have put anything there.
function jsonOf({ id, kind, storeId, paymentId, dueAt, readyAt, attempts, error }: StoredJob): string {
  const at = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return JSON.stringify({ id, kind, storeId, paymentId, dueAt: at(dueAt), readyAt: at(readyAt), attempts, error });
}
