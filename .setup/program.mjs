import { spawn } from "node:child_process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

// Asked before anything is started: whoever started us may be killed while a program starts.
const parent = process.ppid;

/** Runs a program in our place: same terminal, every signal passed on, ends as the program ended. */
export function runProgram(command, programArguments, environment = process.env) {
  return new Promise((resolve) => {
    const child = spawn(command, programArguments, { env: environment, stdio: "inherit" });
    const forget = passSignalsTo(child);
    child.on("error", (error) => {
      forget();
      console.error(`${command} could not be started: ${error.message}`);
      process.exitCode = 1;
      resolve();
    });
    child.on("exit", (code, signal) => {
      forget();
      endWith(code, signal);
      resolve();
    });
  });
}

/**
 * Passes signals on to a child, and ends it when the one who started us was killed and could pass nothing on.
 * Ctrl-C in a terminal is the exception: the terminal itself tells the child, and npm tells us a second time; the child
 * is to hear it once.
 * @returns a function that ends the passing on.
 */
export function passSignalsTo(child) {
  const listeners = signals.map((signal) => {
    const listener = () => {
      const heardItself = signal === "SIGINT" && process.stdin.isTTY;
      if (!heardItself) child.kill(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  const orphanWatch = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 500);
  return () => {
    clearInterval(orphanWatch);
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

export function endWith(code, signal) {
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
}
