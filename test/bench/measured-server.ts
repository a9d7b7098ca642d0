import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ready, ServerMessage, Usage } from "./served.ts";

/** A server in its own process and its resource usage. */
export type MeasuredServer = Readonly<Ready> & {
  usage(): Promise<Usage>;
  close(): Promise<void>;
};

/** `empty` starts the reference server, any other value the sandbox on `:memory:` or a directory. */
export async function startServer(data: string): Promise<MeasuredServer> {
  const child = fork(fileURLToPath(new URL("./served.ts", import.meta.url)), [data]);
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const unexpectedExit = exit.then((): never => {
    throw new Error(`The server on ${data} exited unexpectedly.`);
  });
  // The server also exits when it is closed, while nobody waits for a message.
  unexpectedExit.catch(() => {});
  const nextMessage = () =>
    Promise.race([unexpectedExit, new Promise<ServerMessage>((resolve) => child.once("message", resolve))]);
  const first = await nextMessage();
  if (!("ready" in first)) throw new Error("The server did not send its address.");
  return {
    ...first.ready,
    async usage() {
      child.send("usage");
      const message = await nextMessage();
      if (!("usage" in message)) throw new Error("The server did not send its usage.");
      return message.usage;
    },
    async close() {
      child.disconnect();
      await exit;
    },
  };
}
