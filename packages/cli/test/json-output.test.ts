import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commands } from "../src/commands/commands.ts";
import { type JsonSchema, readLine, schemaOf } from "./json-line.ts";

const jsonCommands = commands.filter(({ options }) => options.json).map(({ name }) => name);
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The names in backticks of the README's row for a command, without options. */
function fieldsInReadme(command: string): readonly string[] {
  const [, table = ""] = readme.split("| command | fields |");
  const row = table.split("\n").find((line) =>
    line
      .split("|")[1]
      ?.split(", ")
      .some((name) => name.trim() === `\`${command}\``),
  );
  return [...(row?.split("|")[2] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

function fieldsOf(schema: JsonSchema): readonly string[] {
  if (typeof schema !== "object") return [];
  const forms = schema.oneOf ?? [schema];
  return forms.flatMap((form) => Object.keys((typeof form === "object" && form.properties) || {}));
}

describe("the schemas of --json", () => {
  it("every command with --json has a published schema, and every schema has its command", () => {
    const files = readdirSync(new URL("../schemas", import.meta.url), { recursive: true, encoding: "utf8" });
    const schemaNames = files
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.replace(/[/\\]/, " ").slice(0, -5));
    expect(schemaNames.sort()).toEqual([...jsonCommands].sort());
  });

  it.each(jsonCommands)(
    "the README names the fields of tillkit %s --json, which are those of its schema",
    (command) => {
      expect([...new Set(fieldsInReadme(command))].sort()).toEqual([...new Set(fieldsOf(schemaOf(command)))].sort());
    },
  );

  it("a line with a missing, a misspelt or a wrong field is not what its schema promises", () => {
    const line = { id: "wh_1", status: 200, log: null };
    expect(readLine("webhooks test", JSON.stringify(line))).toEqual(line);
    for (const change of [{ log: undefined }, { logs: null }, { status: "200" }, { status: -1 }])
      expect(() => readLine("webhooks test", JSON.stringify({ ...line, ...change }))).toThrow("webhooks test --json");
  });
});
