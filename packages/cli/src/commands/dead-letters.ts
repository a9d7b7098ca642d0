import type { Command } from "../command-line/command.ts";
import { jobs } from "./jobs.ts";
import { replay } from "./replay.ts";

const { "dead-letter": _deadLetter, ...listOptions } = jobs.options;

/** The dead-letter jobs under their own noun: the same as `jobs --dead-letter`. */
export const deadLettersList: Command = {
  ...jobs,
  name: "dead-letters list",
  summary: "List the jobs that were given up and wait for a person, with the reason",
  options: listOptions,
  example: "tillkit dead-letters list --ledger sqlite:.tillkit/ledger.db",
  run: (args, terminal) => jobs.run({ ...args, flags: new Set([...args.flags, "dead-letter"]) }, terminal),
};

/** The same as `replay`. */
export const deadLettersRetry: Command = {
  ...replay,
  name: "dead-letters retry",
  summary: "Retry dead-letter jobs once their cause is removed, with their attempts counted from zero",
  example: "tillkit dead-letters retry --all --ledger sqlite:.tillkit/ledger.db",
};
