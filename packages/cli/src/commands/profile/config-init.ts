import process from "node:process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { printJson } from "../../command-line/print-rows.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { parseAddress } from "../../options/parse-address.ts";
import { profilesFile, readProfile, saveProfile } from "../../options/profiles.ts";
import { readSandboxKey } from "../../options/sandbox-control.ts";

export const configInit: Command = {
  name: "config init",
  summary: "Store the address and the secret key of a service in a file that only you can read",
  positionals: [],
  options: {
    service: { value: "url", description: "the address of the service's API; required unless --sandbox is used" },
    sandbox: {
      value: "url",
      description: "the address of a running sandbox, which tells its own test key",
    },
    name: { value: "name", description: "the profile's name, for --profile; the default is default" },
    replace: { description: "replace a profile of the same name" },
    json: { description: "print one line of JSON, without the key" },
  },
  example: "tillkit config init --sandbox http://127.0.0.1:4010",
  async run(args, terminal) {
    const { values, flags } = args;
    const service = values.get("service");
    const sandbox = values.get("sandbox");
    const name = values.get("name") ?? "default";
    const address = sandbox ?? service;
    if (address === undefined || (service !== undefined && sandbox !== undefined))
      throw new UsageError("Name the service: use either --service <url> or --sandbox <url>.");
    const baseUrl = await parseAddress(sandbox === undefined ? "--service" : "--sandbox", address, "base");
    if (!/^[A-Za-z0-9_-]{1,40}$/.test(name))
      throw new UsageError(`The name of a profile has letters, digits, - and _, not "${name}".`);
    if ((await readProfile(name)) && !flags.has("replace"))
      throw new Error(`There is already a profile "${name}": add --replace to replace it.`);
    const secretKey = sandbox === undefined ? await readKey(args) : await readSandboxKey(baseUrl);
    const { createServiceClient } = await import("@tillkit/client");
    const client = createServiceClient({ apiKey: secretKey, baseUrl });
    // Any read will do: it fails now if the address or the key is wrong, before the profile is saved.
    await client.transactions.list({ limit: 1 });
    await saveProfile(name, { service: baseUrl, secretKey });
    const environment = /^svc_sk_(test|live)_/.exec(secretKey)?.[1] ?? "unknown";
    const file = profilesFile();
    if (flags.has("json")) return printJson(terminal, { name, environment, service: baseUrl, file });
    terminal.log(`The profile "${name}" (${environment}, ${baseUrl}) is in ${file}, which only you can read.`);
  },
};

// Takes the key from an environment variable, else from a pipe, else from a person, whose typing is not shown.
async function readKey({ values }: CommandLine): Promise<string> {
  const key = process.env.SERVICE_SECRET_KEY || (await readLine(`Secret key for ${values.get("service")}: `));
  if (/^svc_sk_(?:test|live)_\w+$/.test(key)) return key;
  throw new UsageError(
    "A secret key starts with svc_sk_test_ or svc_sk_live_: set SERVICE_SECRET_KEY, or type the key.",
  );
}

async function readLine(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write(question);
  const silent = new Writable({ write: (_part, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write("\n");
  }
}
