import type { Option } from "../command-line/command.ts";

/** `TILLKIT_ROLE` is the environment variable of the same meaning. */
export const roleOptions: Readonly<Record<string, Option>> = {
  role: {
    value: "role",
    description:
      "(serve only) receiver: answer requests; worker: run jobs; both: the default. Several processes then share one PostgreSQL",
  },
};
