/**
 * An address in its parts, or null for a text that is none. `URL.canParse` is used nowhere: once a process has called it some thousand times,
 * Node 20 refuses valid addresses with letters such as ü or é.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
