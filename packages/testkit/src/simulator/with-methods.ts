export type Method = (...given: never[]) => Promise<unknown>;

/**
 * Returns a copy of a port of plain functions with each method replaced. Other properties stay as they are. A copy keeps the hidden
 * class of its object, which makes it faster to build and to call than an object made from entries.
 */
export function withMethods<Port extends object>(port: Port, replace: (method: Method, name: string) => Method): Port {
  const copy = { ...port } as Record<string, unknown>;
  for (const name of Object.keys(copy)) {
    const value = copy[name];
    if (typeof value === "function") copy[name] = replace(value as Method, name);
  }
  return copy as Port;
}
