import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { roleMistakes, runsJobs, servesRequests } from "../src/index.ts";

test.each([
  ["both", true, true],
  ["receiver", true, false],
  ["worker", false, true],
] as const)("a process with the role %s serves requests: %s, and runs jobs: %s", (role, serves, runs) => {
  expect(servesRequests(role)).toBe(serves);
  expect(runsJobs(role)).toBe(runs);
});

test.each(["receiver", "worker"] as const)(
  "a %s on a SQLite file is refused with a sentence that says what to do",
  (role) => {
    const [sentence, ...more] = roleMistakes(role, "sqlite:/var/lib/shop/ledger.db");
    expect(more).toEqual([]);
    expect(sentence).toContain(`The role "${role}" needs a PostgreSQL database`);
    expect(sentence).toContain("set database to postgres://…");
    expect(sentence).not.toContain("/var/lib");
  },
);

test("every role runs on PostgreSQL, and one process that does everything runs on SQLite", () => {
  expect(roleMistakes("receiver", "postgres://tillkit@db.example/tillkit")).toEqual([]);
  expect(roleMistakes("worker", "postgresql://tillkit@db.example/tillkit")).toEqual([]);
  expect(roleMistakes("both", "sqlite::memory:")).toEqual([]);
});

test.each([
  ["both", 0],
  ["receiver", 0],
  ["worker", 10],
] as const)("a program with the role %s gives way to others on the processor by %i", (role, by) => {
  const program = `
    import { getPriority } from "node:os";
    import { giveWay } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const before = getPriority();
    giveWay("${role}");
    console.log(getPriority() - before, before);`;
  const options = ["--import", "tsx", "--conditions=@tillkit/source", "--input-type=module", "--eval", program];
  const [steps, before] = execFileSync(process.execPath, options, { encoding: "utf8" }).split(" ").map(Number);
  // The machine that runs the tests may have given them a low priority already.
  expect(steps).toBe(by === 0 ? 0 : Math.max(0, by - (before ?? 0)));
});
