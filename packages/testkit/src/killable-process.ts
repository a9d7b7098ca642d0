/** One life of a process: when it ends, nobody hears an answer any more, and nothing new is asked. */
export type KillableProcess = {
  /** The port as this process holds it. What it asked for before its end still happens; only its answer is lost. */
  wrap<Port extends object>(port: Port): Port;
  kill(): void;
  isAlive(): boolean;
  /** Resolves at the end. */
  readonly exited: Promise<void>;
};

/** What happens to a process at one call that it makes: nothing, or it dies before the call left or after it was answered. */
export type CrashPoint = "lives" | "dies-before" | "dies-after";

/** Kills the code of a test as SIGKILL kills a process: at whatever `await` it stands, or where `fate` says so. */
export function createKillableProcess(fate: () => CrashPoint = () => "lives"): KillableProcess {
  let alive = true;
  let tellEnd = () => {};
  const ended = new Promise<void>((resolve) => {
    tellEnd = resolve;
  });

  function end(): void {
    alive = false;
    tellEnd();
  }

  function heard<Value>(answer: PromiseLike<Value>, diesNow: boolean): Promise<Value> {
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => (isHeard(diesNow) ? resolve(value) : undefined),
        (error) => (isHeard(diesNow) ? reject(error) : undefined),
      );
    });
  }

  function isHeard(diesNow: boolean): boolean {
    if (diesNow) end();
    return alive;
  }

  function call(method: (...given: unknown[]) => unknown, target: object, given: unknown[]): unknown {
    if (!alive) return new Promise(() => {});
    const decided = fate();
    if (decided === "dies-before") {
      end();
      return new Promise(() => {});
    }
    const answer: unknown = Reflect.apply(method, target, given);
    return answer instanceof Promise ? heard(answer, decided === "dies-after") : answer;
  }

  return {
    wrap: (port) =>
      new Proxy(port, {
        get: (target, name, receiver) => {
          const value: unknown = Reflect.get(target, name, receiver);
          return typeof value === "function"
            ? (...given: unknown[]) => call(value as (...given: unknown[]) => unknown, target, given)
            : value;
        },
      }),
    kill: end,
    isAlive: () => alive,
    exited: ended,
  };
}
