import process from "node:process";
import type { Command } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

/** The same as `npm create tillkit`. */
export const newAdapter: Command = {
  name: "new adapter",
  summary: "Write a new shop with a store adapter, its server, its tests and a README",
  positionals: ["folder"],
  positionalsOptional: true,
  options: {
    host: { value: "name", description: "what the shop's server runs on: express, fastify, hono or node" },
    packages: { value: "folder", description: "install our packages from this folder of tarballs, not from npm" },
    npm: { description: "install with npm" },
    pnpm: { description: "install with pnpm" },
    yarn: { description: "install with yarn" },
    "no-install": { description: "write the files only" },
    "no-agents": { description: "write no AGENTS.md and CLAUDE.md for developers' assistants" },
    yes: { description: "ask nothing: Express, and install" },
  },
  example: "tillkit new adapter my-shop --host fastify",
  async run({ positionals, values, flags }, terminal) {
    const { create, FlagMistake } = await import("create-tillkit");
    const options = [...values].flatMap(([name, value]) => [`--${name}`, value]);
    const switches = [...flags].map((name) => `--${name}`);
    const canAsk = process.stdin.isTTY === true && process.stdout.isTTY === true;
    try {
      await create([...positionals, ...options, ...switches], {
        command: "tillkit new adapter",
        terminal: { ...terminal, canAsk },
      });
    } catch (error) {
      throw error instanceof FlagMistake ? new UsageError(error.message, { cause: error }) : error;
    }
  },
};
