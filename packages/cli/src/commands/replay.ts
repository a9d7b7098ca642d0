import type { Ledger } from "@tillkit/core";
import type { DeadJobAnswer } from "@tillkit/core/back-office";
import type { Command, CommandLine } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import { printJson } from "../command-line/print-rows.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";
import { parsePerson, personOptions } from "../options/person-option.ts";
import { listAllJobs } from "./list-all-jobs.ts";

export const replay: Command = {
  name: "replay",
  summary: "Retry dead-letter jobs once their cause is removed, with their attempts counted from zero",
  positionals: ["job"],
  positionalsOptional: true,
  options: {
    ...ledgerOptions,
    all: { description: "retry all dead-letter jobs" },
    ...personOptions,
    recorded: {
      description: "end a job that another attempt cannot help: you recorded its refund in the shop by hand",
    },
    json: { description: "print one line of JSON for each job" },
  },
  example: "tillkit replay --all --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const [id] = args.positionals;
    const all = args.flags.has("all");
    const hasId = id !== undefined;
    if (hasId === all || (all && args.flags.has("recorded")))
      throw new UsageError("Name one job, or use --all: tillkit replay <job>.");
    const { endDeadJob, retryDeadJob } = await import("@tillkit/core/back-office");
    const by = await parsePerson(args);
    await withLedger(args, async (ledger) => {
      const { systemClock: clock } = await import("@tillkit/core");
      const answer = args.flags.has("recorded") ? endDeadJob : retryDeadJob;
      const answers: DeadJobAnswer[] = [];
      const ids = hasId ? [id] : await deadJobIds(ledger);
      // What a person asks for is logged before it is done, as on the operators' pages.
      const act = actOf(args, ids);
      if (ids.length > 0) await ledger.recordAct({ at: clock.now(), by, paymentId: null, ...act });
      for (const jobId of ids) {
        const became = await answer({ ledger, clock }, jobId);
        answers.push(became);
        const retried = became === "retried";
        if (args.flags.has("json")) printJson(terminal, { id: jobId, retried, result: became });
      }
      if (id !== undefined) assertDone(id, answers[0]);
      if (!args.flags.has("json")) terminal.log(summaryOf(answers));
    });
  },
};

function actOf({ flags }: CommandLine, ids: readonly string[]): { readonly act: string; readonly detail: string } {
  if (flags.has("all")) return { act: "retry_all", detail: String(ids.length) };
  const [id = ""] = ids;
  // Anything else is no id of a job, and stays out of the log.
  const detail = /^[\w-]{1,40}$/.test(id) ? id : "";
  return { act: flags.has("recorded") ? "recorded_by_hand" : "retry", detail };
}

// The list is read to its end first, because a retried job leaves the list.
async function deadJobIds(ledger: Ledger): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of listAllJobs(ledger, { dead: true })) ids.push(id);
  return ids;
}

/** @throws Error that says why nothing was done */
function assertDone(id: string, answer: DeadJobAnswer | undefined): void {
  switch (answer) {
    case "gone":
      throw new Error(`There is no dead-letter job with the ID ${id}: see tillkit jobs --dead-letter.`);
    case "under_way":
      throw new Error(`Nothing was done: job ${id} runs already, or will run by itself.`);
    case "by_hand":
      throw new Error(
        `Nothing was done: another attempt of job ${id} cannot help. Record its refund in the shop by hand, then run tillkit replay ${id} --recorded.`,
      );
    case "retryable":
      throw new Error(`Nothing was done: job ${id} can be tried again, with tillkit replay ${id}.`);
  }
}

function summaryOf(answers: readonly DeadJobAnswer[]): string {
  const count = (answer: DeadJobAnswer) => answers.filter((one) => one === answer).length;
  if (count("ended") > 0) return "The job is ended: its refund is recorded in the shop by hand.";
  const byHand = count("by_hand");
  const left = ` ${formatCount(byHand, "job")} cannot be retried: see tillkit jobs --dead-letter, record the refund in the shop by hand, then run tillkit replay <job> --recorded.`;
  return `Retried ${formatCount(count("retried"), "job")}. A running server executes retried jobs.${byHand === 0 ? "" : left}`;
}
