import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Addresses, BenchRequest, BenchResponse } from "./surroundings-messages.ts";

export type Surroundings = {
  readonly addresses: Addresses;
  /** The caller waits for the response before the next request, because responses have no id. */
  send<Kind extends BenchRequest["kind"]>(request: Extract<BenchRequest, { kind: Kind }>): Promise<BenchResponse[Kind]>;
  close(): Promise<void>;
};

export async function startSurroundings(): Promise<Surroundings> {
  const program = fileURLToPath(new URL("./surroundings.ts", import.meta.url));
  // The child process gets its own loader and no other option of this process, such as a profiler.
  const child = fork(program, [], { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ended = exited.then((): never => {
    throw new Error("The process of the service and the shop has ended.");
  });
  ended.catch(() => {});
  const nextMessage = <Message>() =>
    Promise.race([
      ended,
      new Promise<Message>((resolve) => child.once("message", (message: Message) => resolve(message))),
    ]);

  return {
    addresses: await nextMessage<Addresses>(),
    async send(request) {
      const answer = nextMessage<BenchResponse[(typeof request)["kind"]]>();
      child.send(request);
      return await answer;
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}
