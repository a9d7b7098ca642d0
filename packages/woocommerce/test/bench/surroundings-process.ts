import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Addresses, BenchRequest, BenchResponse } from "./surroundings-messages.ts";

export type Surroundings = {
  readonly addresses: Addresses;
  /** One question at a time: the answers carry no name. */
  send<Kind extends BenchRequest["kind"]>(request: Extract<BenchRequest, { kind: Kind }>): Promise<BenchResponse[Kind]>;
  close(): Promise<void>;
};

export async function startSurroundings(): Promise<Surroundings> {
  const program = fileURLToPath(new URL("./surroundings.ts", import.meta.url));
  // Its own loader, and not what the bench itself was started with: a profiler, for instance.
  const child = fork(program, [], { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ended = exited.then((): never => {
    throw new Error("Service and shop ended by themselves.");
  });
  ended.catch(() => {});
  const next = <Message>() =>
    Promise.race([ended, new Promise<Message>((resolve) => child.once("message", (told: Message) => resolve(told)))]);

  return {
    addresses: await next<Addresses>(),
    async send(request) {
      const answer = next<BenchResponse[(typeof request)["kind"]]>();
      child.send(request);
      return await answer;
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}
