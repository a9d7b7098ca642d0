import { readFile } from "node:fs/promises";
import process from "node:process";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";

export const verify: Command = {
  name: "verify",
  summary: "Check the signature of a webhook that was saved to a file; exit code 0 only when it is valid",
  positionals: [],
  options: {
    body: { value: "file", description: "the raw body, byte for byte; - reads it from standard input" },
    signature: {
      value: "file or value",
      description: "the value of the header X-Service-Signature, or a file that contains it",
    },
    "secret-file": {
      value: "file",
      description: "a file with the endpoint's secret, one secret a line; the default is SERVICE_WEBHOOK_SECRET",
    },
    json: { description: "print one line of JSON" },
  },
  example: "SERVICE_WEBHOOK_SECRET=… tillkit verify --body body.json --signature signature.txt",
  async run(args, terminal) {
    const body = args.values.get("body");
    const signature = args.values.get("signature");
    if (body === undefined) throw new UsageError("The option --body <file> is required.");
    if (signature === undefined) throw new UsageError("The option --signature <file or value> is required.");
    const secrets = await readSecrets(args);
    const bytes = body === "-" ? await readStandardInput() : await readInput(body);
    const header = SIGNATURES.test(signature) ? signature : (await readInput(signature)).toString("utf8");
    const { verifyEvent } = await import("@tillkit/client/webhooks");
    const event = verifyEvent({ bytes, signature: header.trim(), secrets });
    const row = { valid: true, event: String(event.event), id: event.id ?? null, bytes: bytes.length };
    const sentence = `The signature is valid: ${event.event}, event ${event.id ?? "without an ID"}, ${bytes.length} bytes.`;
    terminal.log(args.flags.has("json") ? JSON.stringify(row) : sentence);
  },
};

const SIGNATURES = /^[0-9a-f]{64}(?:,\s*[0-9a-f]{64})?$/i;

async function readSecrets({ values }: CommandLine): Promise<readonly string[]> {
  const file = values.get("secret-file");
  const text =
    file === undefined ? (process.env.SERVICE_WEBHOOK_SECRET ?? "") : (await readInput(file)).toString("utf8");
  const secrets = text.split(/[\s,]+/).filter((secret) => secret !== "");
  if (secrets.length > 0) return secrets;
  throw new UsageError("The endpoint's secret is missing: set SERVICE_WEBHOOK_SECRET, or use --secret-file <file>.");
}

async function readInput(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The file ${file} cannot be read (${error.code}): check the path.`);
  });
}

async function readStandardInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
