import { runTillkit } from "../src/run-tillkit.ts";

export type CommandResult = { readonly code: number; readonly out: string; readonly error: string };

/** Runs a command line to its end and returns its exit code and output. */
export async function tillkit(...args: readonly string[]): Promise<CommandResult> {
  let out = "";
  let error = "";
  const code = await runTillkit(args, {
    log: (text) => {
      out += `${text}\n`;
    },
    error: (text) => {
      error += `${text}\n`;
    },
    notice: (text) => {
      error += `${text}\n`;
    },
    write: async (part) => {
      out += part;
    },
  });
  return { code, out, error };
}
