import { type RunSandboxOptions, runSandbox as run } from "@tillkit/sandbox";

/** The program behind `tillkit sandbox`; ends by Ctrl-C or SIGTERM. @throws Error with one sentence when it cannot start */
export async function runSandbox(options: Omit<RunSandboxOptions, "print">): Promise<void> {
  await run({ ...options, print: (text) => console.log(text) });
}
