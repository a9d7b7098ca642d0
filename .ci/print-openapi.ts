// Prints the sandbox's contract: what `.ci/run` lints.
import { createSandbox } from "@tillkit/sandbox";

const sandbox = await createSandbox();
const answer = await fetch(`${sandbox.baseUrl}/openapi.json`);
process.stdout.write(await answer.text());
await sandbox.close();
