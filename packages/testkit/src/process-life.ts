/** One life of a process: when it ends, nobody hears an answer any more, and nothing new is asked. */
export type ProcessLife = {
  /** The port as this process holds it. What it asked for before its end still happens; only its answer is lost. */
  hold<Port extends object>(port: Port): Port;
  end(): void;
};

/** Kills the code of a test as SIGKILL kills a process: at whatever `await` it stands. */
export function createProcessLife(): ProcessLife {
  let alive = true;

  function heard<Value>(answer: PromiseLike<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => {
          if (alive) resolve(value);
        },
        (error) => {
          if (alive) reject(error);
        },
      );
    });
  }

  return {
    hold: (port) =>
      new Proxy(port, {
        get: (target, name, receiver) => {
          const value: unknown = Reflect.get(target, name, receiver);
          if (typeof value !== "function") return value;
          return (...given: unknown[]) => {
            if (!alive) return new Promise(() => {});
            const answer: unknown = Reflect.apply(value, target, given);
            return answer instanceof Promise ? heard(answer) : answer;
          };
        },
      }),
    end: () => {
      alive = false;
    },
  };
}
