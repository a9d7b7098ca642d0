import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingColumns, readAuditConfig } from "@tillkit/audit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askColumns } from "../src/commands/audit/ask-columns.ts";

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-columns-"));
  file = join(folder, "orders.csv");
  await writeFile(file, "Bestellung,Summe,date\n1042,5000,2026-11-01\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const configOf = (shop: object = {}) =>
  readAuditConfig({
    service: { url: "https://api.service.example", key: "svc_sk_test_0123456789abcdef" },
    shops: [{ platform: "export", file, ...shop }],
  });

/** A person who gives these answers, and what they were asked. */
function person(...answers: string[]) {
  const questions: string[] = [];
  return { questions, ask: async (question: string) => (questions.push(question), answers.shift() ?? "1") };
}

describe("an export whose columns have names of its own", () => {
  it("asks for what is needed, by number or name, until the answer is a column", async () => {
    const { questions, ask } = person("1", "9", "summe", "xof");
    const { shops } = await askColumns(configOf(), missingColumns, ask);
    expect(shops).toMatchObject([{ columns: { order: "Bestellung", total: "Summe" }, currency: "XOF" }]);
    expect(questions).toHaveLength(4);
    expect(questions[0]).toContain("  1. Bestellung\n  2. Summe\n  3. date");
    expect(questions[2]).toMatch(/^That is none of the columns\. Which column holds the order's total/);
  });

  it("asks for nothing that is known or given", async () => {
    const { questions, ask } = person();
    const given = { columns: { order: "Bestellung", total: "Summe" }, currency: "XOF" };
    expect((await askColumns(configOf(given), missingColumns, ask)).shops).toMatchObject([given]);
    expect(questions).toEqual([]);
  });

  it("stays as it is where nobody can answer", async () => {
    const config = configOf();
    expect(await askColumns(config, missingColumns, null)).toBe(config);
  });
});
