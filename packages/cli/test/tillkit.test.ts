import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };

type Ending = { readonly code: number; readonly out: string; readonly error: string };

describe("the command tillkit", () => {
  it("tells its version", async () => {
    const { code, out } = await tillkit("--version");
    expect(code).toBe(0);
    expect(out).toBe(`${packageJson.version}\n`);
  });

  it.each([[[]], [["--help"]]])("shows what it can do when it is called with %j", async (args) => {
    const { code, out } = await tillkit(...args);
    expect(code).toBe(0);
    expect(out).toContain("sandbox  Run the payment service on this machine");
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
    [["sandbox", "--json=yes"], "The option --json takes no value."],
    [["sandbox", "--port", "many"], 'The port must be a whole number from 0 (any free port) to 65535, not "many".'],
    [["sandbox", "--port", "70000"], 'The port must be a whole number from 0 (any free port) to 65535, not "70000".'],
  ];

  it.each(misunderstood)("answers %j with one sentence and exit code 2", async (args, sentence) => {
    expect(await tillkit(...args)).toEqual({ code: 2, out: "", error: `${sentence} See: tillkit --help\n` });
  });
});

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const program = fileURLToPath(new URL("../src/tillkit.ts", import.meta.url));

function tillkit(...args: readonly string[]): Promise<Ending> {
  return new Promise((resolve) => {
    const nodeArguments = ["--conditions=@tillkit/source", "--import", loader, program, ...args];
    execFile(process.execPath, nodeArguments, (error, out, errorText) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, error: errorText });
    });
  });
}
