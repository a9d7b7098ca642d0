import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

export const sinceOptions: Readonly<Record<string, Option>> = {
  since: { value: "time", description: "recover: a little before the backup was made, such as 2026-01-31T02:00:00Z" },
};

/** In milliseconds since 1970. A time without a time zone is rejected, because an hour of difference would miss payments. */
export function parseSince({ values }: CommandLine): number {
  const text = values.get("since") ?? "";
  const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(at)) {
    throw new UsageError(
      "The option --since needs a time a little before the backup was made: --since 2026-01-31T02:00:00Z.",
    );
  }
  return at;
}
