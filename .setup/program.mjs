import { spawn } from "node:child_process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

// Read before a program starts, because the parent process may be killed while the program starts.
const parent = process.ppid;

/** Runs a program in place of this process: same terminal, forwarded signals, and the program's exit code or signal at the end. */
export function runProgram(command, programArguments, environment = process.env) {
  return new Promise((resolve) => {
    const { child, stopForwarding } = startWithSignals(command, programArguments, {
      env: environment,
      stdio: "inherit",
    });
    child.on("error", (error) => {
      stopForwarding();
      console.error(`${command} could not be started: ${error.message}`);
      process.exitCode = 1;
      resolve();
    });
    child.on("exit", (code, signal) => {
      stopForwarding();
      endWith(code, signal);
      resolve();
    });
  });
}

/**
 * Starts a child and forwards the signals of this process to the child. Ends the child when the parent of this process was
 * killed, because a killed parent forwards no signal. The listeners exist before the child, because a fast child may run before
 * `spawn` returns. Ctrl-C in a terminal is not forwarded: the terminal sends it to the child itself.
 * @returns the child, and a function that ends the forwarding.
 */
export function startWithSignals(command, childArguments, options) {
  const listeners = signals.map((signal) => {
    const listener = () => {
      const receivedFromTerminal = signal === "SIGINT" && process.stdin.isTTY;
      if (!receivedFromTerminal) child.kill(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  const child = spawn(command, childArguments, options);
  const orphanWatch = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 500);
  const stopForwarding = () => {
    clearInterval(orphanWatch);
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
  return { child, stopForwarding };
}

export function endWith(code, signal) {
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
}
