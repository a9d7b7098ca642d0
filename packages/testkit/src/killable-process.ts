/** A process that a test can kill. After its death, no call returns to the process and no new call leaves it. */
export type KillableProcess = {
  /** Wraps a port for this process. A call that left before the death still takes effect; only its answer is lost. */
  wrap<Port extends object>(port: Port): Port;
  kill(): void;
  isAlive(): boolean;
  /** Resolves when the process dies. */
  readonly exited: Promise<void>;
};

/** Whether the process dies at one of its calls: before the call leaves, or after the call was answered. */
export type CrashPoint = "none" | "before-call" | "after-call";

/** Stops the code under test at its current `await`, as SIGKILL would, or at the call that `crashPoint` selects. */
export function createKillableProcess(crashPoint: () => CrashPoint = () => "none"): KillableProcess {
  let alive = true;
  let resolveExited = () => {};
  const exited = new Promise<void>((resolve) => {
    resolveExited = resolve;
  });

  function kill(): void {
    alive = false;
    resolveExited();
  }

  function deliver<Value>(answer: PromiseLike<Value>, point: CrashPoint): Promise<Value> {
    const deliverIfAlive = (deliverAnswer: () => void) => {
      if (point === "after-call") kill();
      if (alive) deliverAnswer();
    };
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => deliverIfAlive(() => resolve(value)),
        (error) => deliverIfAlive(() => reject(error)),
      );
    });
  }

  function call(method: (...parameters: unknown[]) => unknown, target: object, parameters: unknown[]): unknown {
    if (!alive) return neverAnswered();
    const point = crashPoint();
    if (point === "before-call") {
      kill();
      return neverAnswered();
    }
    const answer: unknown = Reflect.apply(method, target, parameters);
    return answer instanceof Promise ? deliver(answer, point) : answer;
  }

  return {
    wrap: (port) =>
      new Proxy(port, {
        get: (target, name, receiver) => {
          const value: unknown = Reflect.get(target, name, receiver);
          return typeof value === "function"
            ? (...parameters: unknown[]) => call(value as (...parameters: unknown[]) => unknown, target, parameters)
            : value;
        },
      }),
    kill,
    isAlive: () => alive,
    exited,
  };
}

function neverAnswered(): Promise<never> {
  return new Promise(() => {});
}
