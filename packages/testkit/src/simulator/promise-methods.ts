type Send = <Answer>(method: string, request: () => Promise<Answer>, given: readonly unknown[]) => Promise<Answer>;

/**
 * Returns an object with the methods of a port, each of which goes through `send`. The methods of a class are found too. Other
 * properties stay as they are.
 */
export function promiseMethods<Port extends object>(port: Port, send: Send): Port {
  const entries = namesOf(port).map((name) => {
    const value: unknown = Reflect.get(port, name);
    if (typeof value !== "function") return [name, value];
    return [name, (...given: unknown[]) => send(name, async () => await Reflect.apply(value, port, given), given)];
  });
  return Object.fromEntries(entries) as Port;
}

/** The names of the properties of an object and of its class, without the properties that every object has. */
function namesOf(port: object): readonly string[] {
  const names = new Set<string>();
  for (let owner = port; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) names.add(name);
  }
  names.delete("constructor");
  return [...names];
}
