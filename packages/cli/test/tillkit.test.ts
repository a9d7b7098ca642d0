import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { tillkit } from "./tillkit.ts";

describe("the command tillkit", () => {
  it("tells its version", async () => {
    const { code, out } = await tillkit("--version");
    expect(code).toBe(0);
    expect(out).toBe(`${packageJson.version}\n`);
  });

  it.each([[[]], [["--help"]]])("shows what it can do when it is called with %j", async (args) => {
    const { code, out } = await tillkit(...args);
    expect(code).toBe(0);
    expect(out).toMatch(/sandbox +Run the payment service on this machine/);
  });

  it("tells every option of the sandbox", async () => {
    const { code, out } = await tillkit("sandbox", "--help");
    expect(code).toBe(0);
    for (const option of ["--port <number>", "--data <directory>", "--json"]) expect(out).toContain(option);
  });

  const misunderstood: readonly [args: readonly string[], sentence: string][] = [
    [["sandbax"], 'There is no command "sandbax".'],
    [["--verbose"], "There is no option --verbose here."],
    [["sandbox", "--prot", "4010"], "There is no option --prot here."],
    [["sandbox", "4010"], '"4010" is too much for tillkit sandbox.'],
    [["sandbox", "--port"], "The option --port needs a value."],
    [["sandbox", "--port", "--json"], "The option --port needs a value."],
    [["sandbox", "--data", ""], "The option --data needs a value."],
    [["explain"], "Say which payment or order: tillkit explain <payment or order>."],
    [["explain", "p1"], "Say where payments are kept: --ledger sqlite:/path/to/ledger.db."],
    [["explain", "p1", "--language", "de"], 'The language is en or fr, not "de".'],
    [["sandbox", "--json=yes"], "The option --json takes no value."],
    [["sandbox", "--port", "many"], 'The port must be a whole number from 0 (any free port) to 65535, not "many".'],
    [["sandbox", "--port", "70000"], 'The port must be a whole number from 0 (any free port) to 65535, not "70000".'],
  ];

  it.each(misunderstood)("answers %j with one sentence and exit code 2", async (args, sentence) => {
    expect(await tillkit(...args)).toEqual({ code: 2, out: "", error: `${sentence} See: tillkit --help\n` });
  });
});
