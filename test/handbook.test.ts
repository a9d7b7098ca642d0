import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_CODES, SERVICE_CODES } from "@tillkit/client";
import { describe, expect, it } from "vitest";
import { readWorkspace } from "./architecture/workspace.ts";

const root = join(import.meta.dirname, "..");
const handbook = readFileSync(join(root, "HANDBOOK.md"), "utf8");

/** The codes that begin a row of a table. A code that only a sentence mentions does not count as explained. */
const explainedCodes = new Set(
  [...handbook.matchAll(/^\| (?:\d{3} )?(`[a-z_]+`(?:, `[a-z_]+`)*) \|(.+)\|$/gm)].flatMap(([, codes = ""]) =>
    [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code),
  ),
);

/** The members of `type …ErrorCode = "a" | "b"` in every package: the complete lists of the codes that people see. */
function declaredCodes(): string[] {
  const sources = [...readWorkspace()].filter(([file]) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file));
  return sources.flatMap(([file, source]) => {
    const declared = file.endsWith("domain/finding.ts")
      ? source.matchAll(/readonly code:([^;}]+)[;}]/g)
      : source.matchAll(/export type \w*ErrorCode =([^;]+);/g);
    const unions = [...declared].map(([, members = ""]) => members);
    return unions.flatMap((members) => [...members.matchAll(/"([a-z_]+)"/g)].map(([, code = ""]) => code));
  });
}

describe("the handbook", () => {
  it("the handbook explains every error code that a package can throw", () => {
    const codes = [...declaredCodes(), ...CLIENT_CODES, ...SERVICE_CODES];
    expect(codes.length).toBeGreaterThan(50);
    expect(codes.filter((code) => !explainedCodes.has(code))).toEqual([]);
  });
});
