import { createSandbox, type Sandbox } from "./create-sandbox.ts";

export type RunSandboxOptions = {
  port?: number;
  /** `:memory:` or a directory. */
  data?: string;
  /** The first line on stdout is one JSON object, for programs that start the sandbox. */
  json?: boolean;
  print: (text: string) => void;
};

/**
 * The program `tillkit sandbox`: starts the service, says where it is, and runs until Ctrl-C or SIGTERM.
 * @throws Error with one sentence when it cannot start
 */
export async function runSandbox({ port, data, json, print }: RunSandboxOptions): Promise<void> {
  const stopped = stopSignal();
  const sandbox = await createSandbox({ port: port ?? 0, data: data ?? ":memory:" });
  print(json === true ? readyLine(sandbox) : greeting(sandbox, data ?? ":memory:"));
  await stopped;
  await sandbox.close();
}

/** A second signal changes nothing: Ctrl-C reaches every process of a terminal, and npm passes it on once more. */
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
  Data      ${data === ":memory:" ? "in memory, gone when it stops" : data}

  Test keys   secret       ${keys.test.secret}
              publishable  ${keys.test.publishable}
  Live keys   secret       ${keys.live.secret}
              publishable  ${keys.live.publishable}

Press Ctrl-C to stop.`;
}
