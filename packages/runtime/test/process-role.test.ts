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
