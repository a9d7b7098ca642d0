import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_CODES } from "@tillkit/client";
import { describe, expect, it } from "vitest";
import { errorTables } from "../src/error-tables.ts";
import { repository } from "../src/folders.ts";

const tables = errorTables(readFileSync(join(repository, "HANDBOOK.md"), "utf8"));

/** The READMEs that repeat a table of the handbook, because npm shows a README alone. `only` names the codes of the rows to repeat. */
const copies = [
  { readme: "packages/core/README.md", heading: "Errors of the checkout (`CheckoutError`)" },
  {
    readme: "packages/client/README.md",
    heading: "Errors of the service's API (`ServiceError`)",
    only: new Set<string>(CLIENT_CODES),
  },
  { readme: "packages/sql/README.md", heading: "Databases (`DatabaseError`)" },
];

describe("the error tables", () => {
  it.each(copies)(
    "the error table in $readme equals its table in HANDBOOK.md (vitest run packages/docs -u updates the README)",
    async ({ readme, heading, only }) => {
      const table = tables.find((candidate) => candidate.heading === heading);
      const rows = table?.rows.filter(({ codes }) => codes.some((code) => only?.has(code) ?? true)) ?? [];
      expect(rows.length).toBeGreaterThan(5);
      const block = ["<!-- errors -->", table?.head, ...rows.map(({ text }) => text), "<!-- end of errors -->"].join(
        "\n",
      );
      const text = readFileSync(join(repository, readme), "utf8");
      const expectedReadme = text.replace(/<!-- errors -->[\s\S]*<!-- end of errors -->/, () => block);
      expect(expectedReadme).toContain(block);
      await expect(expectedReadme).toMatchFileSnapshot(join(repository, readme));
    },
  );

  it("every code of an error table has one row, whose second cell explains the code", () => {
    for (const { heading, rows } of tables) {
      const codes = rows.flatMap((row) => row.codes);
      expect(
        codes.filter((code, index) => codes.indexOf(code) !== index),
        heading,
      ).toEqual([]);
      expect(
        rows.filter(({ cells: [, explanation = ""] }) => explanation.length < 5),
        heading,
      ).toEqual([]);
    }
    expect(tables.flatMap(({ rows }) => rows).length).toBeGreaterThan(80);
  });
});
