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

  const invalidLines: readonly [args: readonly string[], sentence: string | RegExp][] = [
    [["sandbax"], 'Unknown command "sandbax": did you mean tillkit sandbox?'],
    [["dance"], 'Unknown command "dance": tillkit --help lists the commands.'],
    [["webhooks", "lst"], 'Unknown subcommand "lst": did you mean tillkit webhooks list?'],
    [
      ["webhooks", "dance"],
      /^Unknown subcommand "dance": use tillkit webhooks create, .* or tillkit webhooks delete\.\n/,
    ],
    [["fault", "lose-webhok"], 'There is no fault "lose-webhok": did you mean lose-webhook?'],
    [["open", "docks"], 'There is no page "docks": did you mean docs?'],
    [["--verbose"], "Unknown option --verbose."],
    [["sandbox", "--prot", "4010"], "Unknown option --prot: did you mean --port?"],
    [["sandbox", "4010"], 'Unexpected argument "4010": tillkit sandbox does not take it.'],
    [["sandbox", "--port"], "The option --port needs a value."],
    [["sandbox", "--port", "--quiet"], "The option --port needs a value."],
    [["sandbox", "--data", ""], "The option --data needs a value."],
    [["explain"], "Missing argument: tillkit explain <payment or order>."],
    [["explain", "p1"], "The address of the ledger is missing: --ledger sqlite:/path/to/ledger.db."],
    [["explain", "p1", "--language", "de"], 'The language must be en or fr, not "de".'],
    [["sandbox", "--json=yes"], "The option --json takes no value."],
    [["sandbox", "--port", "many"], 'The port must be a whole number from 0 (any free port) to 65535, not "many".'],
    [["sandbox", "--port", "70000"], 'The port must be a whole number from 0 (any free port) to 65535, not "70000".'],
  ];

  it.each(invalidLines)("the invalid command line %j gets one sentence and exit code 2", async (args, sentence) => {
    const { code, out, error } = await tillkit(...args);
    expect([code, out]).toEqual([2, ""]);
    if (sentence instanceof RegExp) expect(error).toMatch(sentence);
    else expect(error.split("\n")[0]).toBe(sentence);
  });

  it("after a wrong command line the help of that command follows, and nothing of the others", async () => {
    const { error } = await tillkit("explain", "--languge", "fr");
    expect(error).toMatch(
      /^Unknown option --languge: did you mean --language\?\n\nUsage: tillkit explain <payment or order>/,
    );
    expect(error).toContain("Example: tillkit explain 1042");
    expect(error).not.toContain("tillkit sandbox");
  });

  it("tillkit help prints the help of a command, of all commands of a noun, or of everything in groups", async () => {
    expect(await tillkit("help", "payments", "show")).toEqual(await tillkit("payments", "show", "--help"));
    expect(await tillkit("help", "webhooks")).toEqual(await tillkit("webhooks"));
    const { out } = await tillkit("help");
    expect(out).toEqual((await tillkit("--help")).out);
    expect(out).toMatch(/^Usage: .*\n\nDevelop on this machine\n {2}new adapter/);
    expect(out).toMatch(/\n\nKeep a ledger\n {2}jobs/);
    expect(await tillkit("help", "sandbax")).toMatchObject({ code: 2 });
  });

  it("with --json an error is one line of JSON on standard error, with a code that a script can compare", async () => {
    const usage = await tillkit("holds", "--json", "--ledgr", "sqlite:a.db");
    expect(usage).toMatchObject({ code: 2, out: "" });
    expect(JSON.parse(usage.error)).toEqual({
      error: { code: "usage", message: "Unknown option --ledgr: did you mean --ledger?" },
    });
    const failed = await tillkit("holds", "--json", "--ledger", "sqlite:no-such-file.db");
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.error)).toEqual({
      error: { code: "failed", message: "There is no ledger at no-such-file.db: check the path." },
    });
  });
});
