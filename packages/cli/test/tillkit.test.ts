import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { tillkit } from "./tillkit.ts";

describe("the command tillkit", () => {
  it("tillkit --version prints the version", async () => {
    const { code, out } = await tillkit("--version");
    expect(code).toBe(0);
    expect(out).toBe(`${packageJson.version}\n`);
  });

  it.each([[[]], [["--help"]]])("tillkit called with %j lists its commands", async (args) => {
    const { code, out } = await tillkit(...args);
    expect(code).toBe(0);
    expect(out).toMatch(/sandbox +Run a local sandbox of the payment service/);
  });

  it("tillkit sandbox --help lists every option", async () => {
    const { code, out } = await tillkit("sandbox", "--help");
    expect(code).toBe(0);
    for (const option of ["--port <number>", "--data <directory>", "--json"]) expect(out).toContain(option);
  });

  const invalidLines: readonly [args: readonly string[], sentence: string][] = [
    [["sandbax"], 'Unknown command "sandbax".'],
    [["--verbose"], "Unknown option --verbose."],
    [["sandbox", "--prot", "4010"], "Unknown option --prot."],
    [["sandbox", "4010"], 'Unexpected argument "4010": tillkit sandbox does not take it.'],
    [["sandbox", "--port"], "The option --port needs a value."],
    [["sandbox", "--port", "--json"], "The option --port needs a value."],
    [["sandbox", "--data", ""], "The option --data needs a value."],
    [["explain"], "Missing argument: tillkit explain <payment or order>."],
    [["explain", "p1"], "The address of the ledger is missing: --ledger sqlite:/path/to/ledger.db."],
    [["explain", "p1", "--language", "de"], 'The language must be en or fr, not "de".'],
    [["sandbox", "--json=yes"], "The option --json takes no value."],
    [["sandbox", "--port", "many"], 'The port must be a whole number from 0 (any free port) to 65535, not "many".'],
    [["sandbox", "--port", "70000"], 'The port must be a whole number from 0 (any free port) to 65535, not "70000".'],
  ];

  it.each(invalidLines)("the invalid command line %j gets one sentence and exit code 2", async (args, sentence) => {
    expect(await tillkit(...args)).toEqual({ code: 2, out: "", error: `${sentence} See: tillkit --help\n` });
  });
});
