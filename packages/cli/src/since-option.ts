import type { CommandLine, Option } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export const sinceOption: Readonly<Record<string, Option>> = {
  since: { value: "time", says: "recover: a little before the backup was made, such as 2026-01-31T02:00:00Z" },
};

/** In milliseconds since 1970. A time without a zone is refused: an hour off would leave payments unfound. */
export function readSince({ values }: CommandLine): number {
  const written = values.get("since") ?? "";
  const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(written)
    ? Date.parse(written)
    : Number.NaN;
  if (Number.isNaN(at)) {
    throw new UsageError("Say since when: --since 2026-01-31T02:00:00Z, a little before the backup was made.");
  }
  return at;
}
