// node .setup/pnpm.mjs [arguments]: runs the pnpm version of this repository. npm fetches this version when it is missing.
import { pathToFileURL } from "node:url";
import { endWith, runProgram, startWithSignals } from "./program.mjs";

const npx = process.platform === "win32" ? "npx.cmd" : "npx";
const pnpm = ["--yes", "pnpm@10.34.9"];

const environment = {
  ...process.env,
  CI: "true", // never ask a question: nobody sees it behind a progress line
  NO_UPDATE_NOTIFIER: "1",
  npm_config_update_notifier: "false",
  npm_config_loglevel: "warn", // `npm run --silent` would silence the errors too
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runProgram(npx, [...pnpm, ...process.argv.slice(2)], environment);
}

/** Runs pnpm without printing its output, and returns the output, for example to show it after a failure. */
export function quietPnpm(pnpmArguments) {
  return new Promise((resolve) => {
    const io = { env: environment, stdio: ["ignore", "pipe", "pipe"] };
    const { child, stopForwarding } = startWithSignals(npx, [...pnpm, ...pnpmArguments], io);
    let output = "";
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => resolve({ code: 1, output: `npx could not be started: ${error.message}` }));
    child.on("close", (code, signal) => {
      stopForwarding();
      if (signal !== null) endWith(code, signal);
      resolve({ code, output });
    });
  });
}
