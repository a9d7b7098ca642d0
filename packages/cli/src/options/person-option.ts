import { userInfo } from "node:os";
import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

/** Who acts, for commands that write into the log of acts. */
export const personOptions: Readonly<Record<string, Option>> = {
  by: {
    value: "name",
    description: "who decides, for the log of acts: a name or a role, no e-mail address; the default is your user name",
  },
};

/** @throws UsageError for what is no name, and where the machine does not know the user, as in some containers */
export async function parsePerson({ values }: CommandLine): Promise<string> {
  const { personName } = await import("@tillkit/core/back-office");
  const by = personName(values.get("by") ?? userName());
  if (by === null) throw new UsageError("Say who decides: --by <name or role>, without an e-mail address.");
  return by;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
