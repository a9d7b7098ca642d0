import type { CommandLine } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** @throws UsageError unless the option holds a number of days such as `90d`, at least `minDays` */
export function parseDays({ values }: CommandLine, option: string, minDays: number): number {
  const days = Number(/^(\d{1,5})d$/.exec(values.get(option) ?? "")?.[1]);
  if (days >= minDays) return days;
  throw new UsageError(`The option --${option} needs an age in days, such as 90d, at least ${minDays}d.`);
}
