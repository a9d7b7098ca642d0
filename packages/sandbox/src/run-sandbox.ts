import { createSandbox, type Sandbox } from "./create-sandbox.ts";
import { activityLine } from "./runtime/activity.ts";

export type RunSandboxOptions = {
  port?: number;
  /** `:memory:` or a directory. */
  data?: string;
  /** Prints addresses and keys as one JSON object, for programs that start the sandbox. */
  json?: boolean;
  /** Prints only the addresses and keys, and not what happens. `json` is always quiet: a program may read one line and no more. */
  quiet?: boolean;
  print: (text: string) => void;
};

/**
 * The program `tillkit sandbox`: starts the service, prints its addresses and what happens, and runs until Ctrl-C or SIGTERM.
 * @throws Error whose message is one sentence for the terminal when the sandbox cannot start
 */
export async function runSandbox({ port, data, json, quiet, print }: RunSandboxOptions): Promise<void> {
  const untilStopSignal = stopSignal();
  const isQuiet = json === true || quiet === true;
  const sandbox = await createSandbox({
    port: port ?? 0,
    data: data ?? ":memory:",
    ...(isQuiet ? {} : { onActivity: (activity) => print(`  ${activityLine(activity)}`) }),
  });
  print(json === true ? readyLine(sandbox) : greeting(sandbox, data ?? ":memory:"));
  await untilStopSignal;
  await sandbox.close();
}

/** Resolves at the first signal. Later signals are ignored: Ctrl-C reaches every process of a terminal, and npm forwards it again. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
  });
}

function readyLine({ baseUrl, checkoutBaseUrl, consoleUrl, controlUrl, keys }: Sandbox): string {
  return JSON.stringify({ baseUrl, checkoutBaseUrl, consoleUrl, controlUrl, pid: process.pid, keys });
}

function greeting({ baseUrl, consoleUrl, controlUrl, keys }: Sandbox, data: string): string {
  return `The payment service is running on this machine.

  API       ${baseUrl}   (also ${baseUrl}/v1)
  Console   ${consoleUrl}
  Control   ${controlUrl}
  Data      ${data === ":memory:" ? "in memory, lost when the sandbox stops" : data}

  Test keys   secret       ${keys.test.secret}
              publishable  ${keys.test.publishable}
  Live keys   secret       ${keys.live.secret}
              publishable  ${keys.live.publishable}

Press Ctrl-C to stop.
`;
}
