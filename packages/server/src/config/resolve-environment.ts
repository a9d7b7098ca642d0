/** Replaces each `{ "env": "NAME" }` by the value of that variable. `missing` has one sentence for each variable that is not set. */
export function resolveEnvironment(
  rawConfig: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly value: unknown; readonly missing: readonly string[] } {
  const missing: string[] = [];

  function resolve(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, `${path}[${index}]`));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only?.[0] === "env" && typeof only[1] === "string") {
      const found = environment[only[1]];
      if (!found) missing.push(`${path}: the environment variable ${only[1]} is not set.`);
      return found;
    }
    return Object.fromEntries(
      entries.map(([name, item]) => [name, resolve(item, path === "" ? name : `${path}.${name}`)]),
    );
  }

  return { value: resolve(rawConfig, ""), missing };
}
