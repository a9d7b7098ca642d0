import { parseArgs } from "node:util";
import type { Part } from "./plan.ts";
import type { Tier } from "./tier.ts";

export type Options = {
  readonly action: "run" | "list" | "help";
  readonly tiers: readonly Tier[];
  readonly share: number;
  readonly seed: number;
  readonly part: Part;
  /** One case of one tier, to look into a violation. */
  readonly only: number | null;
  readonly processes: number;
  /** The file of a saved run to continue. */
  readonly resume: string | null;
  readonly fresh: boolean;
  readonly json: string | null;
  readonly markdown: boolean;
};

const FLAGS = {
  share: { type: "string" },
  tier: { type: "string", multiple: true },
  seed: { type: "string" },
  case: { type: "string" },
  part: { type: "string" },
  processes: { type: "string" },
  resume: { type: "string" },
  fresh: { type: "boolean" },
  json: { type: "string" },
  markdown: { type: "boolean" },
  list: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export const HELP = `npm run prove -- [flags]: runs the tests that try to violate the invariants.

  --share 0.01       a hundredth of every tier, at least one case of each (1: everything)
  --tier T2          only this tier; repeat it, or give several: T2,T4
  --seed 7           other cases than those of seed 1
  --case 12          one case of one tier, as the violations print it
  --part 1/4         the first of four parts, when four machines share a run
  --processes 2      how many processes run at once (default: the number of cores)
  --resume FILE      continues this saved run, also when the code has changed since
  --fresh            ignores the saved results of an interrupted run
  --json FILE        also writes the results to this file
  --markdown         prints the final table as Markdown, with date and machine
  --list             lists the tiers
  --help             prints this

An interrupted run continues when it is started again with the same flags and the same code.
Exit code: 0 no violations, 1 violations, 2 invalid flags, 130 interrupted.`;

/** Returns the options of the command line, or one sentence that says what is wrong with the flags. */
export function readOptions(flags: readonly string[], known: readonly Tier[], cores: number): Options | string {
  try {
    return parse(flags, known, cores);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function parse(flags: readonly string[], known: readonly Tier[], cores: number): Options {
  const { values, positionals } = parseArgs({
    args: [...flags],
    options: FLAGS,
    allowPositionals: true,
    strict: false,
  });
  refuseUnknown(values, positionals);
  const tiers = chooseTiers(texts(values.tier), known);
  const only = values.case === undefined ? null : integer(values.case, "--case", 0);
  if (only !== null && texts(values.tier).length !== 1)
    throw new Error("--case needs exactly one --tier, for example --tier T2.");
  const conflict = ["share", "seed", "part", "case"].find((name) => values.resume !== undefined && name in values);
  if (conflict !== undefined)
    throw new Error(`A saved run has its own --${conflict}. Leave out --resume or --${conflict}.`);
  let action: Options["action"] = "run";
  if (values.list) action = "list";
  if (values.help) action = "help";
  return {
    action,
    tiers,
    share: values.share === undefined ? 1 : shareOf(text(values.share, "--share")),
    seed: values.seed === undefined ? 1 : integer(values.seed, "--seed", 0),
    part: values.part === undefined ? { index: 1, of: 1 } : partOf(text(values.part, "--part")),
    only,
    processes: values.processes === undefined ? cores : integer(values.processes, "--processes", 1),
    resume: values.resume === undefined ? null : text(values.resume, "--resume"),
    fresh: values.fresh === true,
    json: values.json === undefined ? null : text(values.json, "--json"),
    markdown: values.markdown === true,
  };
}

function refuseUnknown(values: object, positionals: readonly string[]): void {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(FLAGS, name));
  if (unknown) throw new Error(`There is no flag --${unknown}. --help lists the flags.`);
  if (positionals.length > 0) throw new Error(`"${positionals[0]}" belongs to no flag. --help lists the flags.`);
}

function chooseTiers(requested: readonly string[], known: readonly Tier[]): readonly Tier[] {
  const ids = requested.flatMap((part) => part.split(",")).map((id) => id.trim().toUpperCase());
  const unknown = ids.find((id) => !known.some((tier) => tier.id === id));
  if (unknown !== undefined) {
    throw new Error(`There is no tier "${unknown}": the tiers are ${known.map(({ id }) => id).join(", ")}.`);
  }
  return ids.length === 0 ? known : known.filter(({ id }) => ids.includes(id));
}

function shareOf(given: string): number {
  const share = Number(given);
  if (given !== "" && share > 0 && share <= 1) return share;
  throw new Error(`--share must be a number above 0 and up to 1, for example 0.01, not "${given}".`);
}

function partOf(given: string): Part {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(given);
  const part = { index: Number(match?.[1]), of: Number(match?.[2]) };
  if (match && part.index >= 1 && part.index <= part.of) return part;
  throw new Error(`--part must be "1/4", "2/4" and so on, not "${given}".`);
}

function integer(given: string | boolean | (string | boolean)[], flag: string, least: number): number {
  const number = Number(text(given, flag));
  if (/^\d{1,10}$/.test(text(given, flag)) && number >= least) return number;
  throw new Error(`${flag} must be a whole number from ${least}, not "${given}".`);
}

function text(given: string | boolean | (string | boolean)[], flag: string): string {
  if (typeof given === "string" && given !== "") return given;
  throw new Error(`${flag} needs a value. --help shows an example.`);
}

function texts(given: string | boolean | (string | boolean)[] | undefined): readonly string[] {
  return given === undefined ? [] : [given].flat().map((value) => text(value, "--tier"));
}
