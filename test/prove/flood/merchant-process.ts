import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ProcessRole } from "@tillkit/runtime";
import type { ProcessMessage, Usage, Work } from "./messages.ts";

/** The merchant's server in its own process, with its output. */
export type MerchantProcess = {
  readonly url: string;
  readonly output: () => string;
  request(work: Partial<Record<keyof Work, number>>): Promise<Usage>;
  close(): Promise<void>;
};

/**
 * @param ledgerUrl "empty" starts the reference, a server that reads each body and answers
 * @param role what the process does beside others on the same ledger
 */
export async function startMerchant(
  ledgerUrl: string,
  outsideUrl: string,
  role: ProcessRole = "both",
): Promise<MerchantProcess> {
  const program = fileURLToPath(new URL("./merchant-program.ts", import.meta.url));
  const execArgv = ["--import", "tsx", "--conditions=@tillkit/source"];
  const child = fork(program, [ledgerUrl, outsideUrl, role], { execArgv, silent: true });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const unexpectedExit = exit.then((): never => {
    throw new Error(`The merchant's server exited unexpectedly:\n${printed.slice(-2_000)}`);
  });
  unexpectedExit.catch(() => {});
  const nextMessage = () =>
    Promise.race([unexpectedExit, new Promise<ProcessMessage>((resolve) => child.once("message", resolve))]);

  const first = await nextMessage();
  if (!("url" in first)) throw new Error("The merchant's server did not send its URL.");
  async function sendRequest(work: Partial<Record<keyof Work, number>>): Promise<Usage> {
    child.send(work);
    const message = await nextMessage();
    if (!("rssMb" in message)) throw new Error("The merchant's server did not send its usage.");
    return message;
  }
  let lastRequest: Promise<unknown> = Promise.resolve();

  return {
    url: first.url,
    output: () => printed,
    // One request at a time, because the answers have no id.
    request(work) {
      const answer = lastRequest.then(() => sendRequest(work));
      lastRequest = answer.catch(() => {});
      return answer;
    },
    async close() {
      child.disconnect();
      await exit;
    },
  };
}
