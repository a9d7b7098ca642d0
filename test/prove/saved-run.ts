import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readWorkspace } from "../architecture/workspace.ts";
import type { Part } from "./plan.ts";
import type { Outcome, Tier } from "./tier.ts";

/** The finished slices of a run: enough to continue the run and to print the final table. Times in milliseconds since 1970. */
export type SavedRun = {
  readonly share: number;
  readonly seed: number;
  readonly part: Part;
  readonly slices: DoneSlice[];
};

export type DoneSlice = {
  readonly tier: Tier["id"];
  readonly from: number;
  readonly to: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The number of violations beyond those stored in `outcome`. */
  readonly more: number;
  readonly outcome: Outcome;
};

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The file of a run with these settings. After a change of the code the file has another name. */
export function savedRunPath({ share, seed, part }: Pick<SavedRun, "share" | "seed" | "part">): string {
  const suffix = part.of === 1 ? "" : `-part-${part.index}-of-${part.of}`;
  return join(root, ".tillkit", "prove", `seed-${seed}-share-${share}${suffix}-${fingerprint()}.json`);
}

/** Returns null if there is no file. @throws Error if the file is no saved run */
export function readSavedRun(path: string): SavedRun | null {
  if (!existsSync(path)) return null;
  const saved = readJson(path);
  if (isSavedRun(saved)) return saved;
  throw new Error(`${path} is no saved run. Name a file of .tillkit/prove or leave out --resume.`);
}

/** Writes atomically: the file has its old or its new content, whenever the process ends. */
export function writeSavedRun(path: string, saved: SavedRun): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(saved));
  renameSync(`${path}.new`, path);
}

const FILES_OF_FINGERPRINT = /^(?:(?:packages\/[a-z-]+|examples\/shop)\/src|test\/prove)\/.*\.ts$/;

/** A hash of these tests and of the code under test. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const [path, text] of readWorkspace()) {
    if (FILES_OF_FINGERPRINT.test(path)) hash.update(`${path}\n${text}`);
  }
  return hash.digest("hex").slice(0, 8);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function isSavedRun(value: unknown): value is SavedRun {
  return typeof value === "object" && value !== null && "slices" in value && "part" in value && "seed" in value;
}
