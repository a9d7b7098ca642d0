import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type ReceiverProcess = {
  readonly port: number;
  /** The CPU time of all its threads since it started. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
};

/** @param program what `bundleContender` made of one-receiver.ts */
export async function startReceiver(program: URL, args: readonly string[]): Promise<ReceiverProcess> {
  const child = fork(fileURLToPath(program), args, {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    port,
    async cpuMs() {
      child.send({});
      return (await nextMessage<{ cpuMs: number }>(child)).cpuMs;
    },
    async stop() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`A receiver ended with code ${code}.`);
  });
  failed.catch(() => {});
  const [message] = await Promise.race([once(child, "message"), failed]);
  return message as Message;
}
