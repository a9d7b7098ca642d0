import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

export type Ending = { readonly code: number; readonly out: string; readonly error: string };

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const program = fileURLToPath(new URL("../src/tillkit.ts", import.meta.url));

export const nodeArguments = ["--conditions=@tillkit/source", "--import", loader, program];

/** Runs the command from source to its end. */
export function tillkit(...args: readonly string[]): Promise<Ending> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...nodeArguments, ...args], (error, out, errorText) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, error: errorText });
    });
  });
}
