import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

export const sinceOptions: Readonly<Record<string, Option>> = {
  since: {
    value: "time",
    description:
      "(recover only) a time shortly before the backup was taken, such as 2026-01-31T02:00:00Z; a date alone means midnight UTC",
  },
};

/** In milliseconds since 1970. A time without a time zone is rejected, because an error of an hour would miss payments. */
export function parseSince({ values }: CommandLine): number {
  const text = values.get("since") ?? "";
  const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(at)) {
    throw new UsageError(
      "The option --since needs a time shortly before the backup was taken, with its time zone: --since 2026-01-31T02:00:00Z.",
    );
  }
  return at;
}
