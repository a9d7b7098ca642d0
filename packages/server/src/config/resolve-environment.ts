/** Replaces `{ "env": "NAME" }` by the environment's text, wherever it stands. One sentence for each that is not set. */
export function resolveEnvironment(
  written: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly value: unknown; readonly missing: readonly string[] } {
  const missing: string[] = [];

  function resolve(value: unknown, where: string): unknown {
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, `${where}[${index}]`));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only?.[0] === "env" && typeof only[1] === "string") {
      const found = environment[only[1]];
      if (!found) missing.push(`${where}: the environment variable ${only[1]} is not set.`);
      return found;
    }
    return Object.fromEntries(
      entries.map(([name, item]) => [name, resolve(item, where === "" ? name : `${where}.${name}`)]),
    );
  }

  return { value: resolve(written, ""), missing };
}
