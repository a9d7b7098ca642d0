export const HOSTS = ["express", "fastify", "hono", "node"] as const;
export const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn"] as const;

export type Host = (typeof HOSTS)[number];
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

/** All choices about a new project. */
export type Choices = {
  /** Where the project is written; the folder must not exist or be empty. */
  readonly folder: string;
  /** The name of the package and of the platform: lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly host: Host;
  readonly packageManager: PackageManager;
  /** A folder of tarballs with its `add.mjs`, from `npm run pack:all`; null: the packages come from npm. */
  readonly packages: string | null;
  readonly install: boolean;
  /** Whether the project has an `AGENTS.md` for developers' assistants, and a `CLAUDE.md` that points to it. */
  readonly agents: boolean;
};

/** One sentence about what is wrong with a name, or null if nothing is wrong. */
export function nameMistake(name: string): string | null {
  if (/^[a-z][a-z0-9-]{0,60}$/.test(name)) return null;
  return `"${name}" cannot be the name of a package: use lower-case letters, digits and hyphens, and start with a letter.`;
}
