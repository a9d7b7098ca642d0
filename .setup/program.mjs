import { spawn } from "node:child_process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

// Asked before anything is started: whoever started us may be killed while a program starts.
const parent = process.ppid;

/** Runs a program in our place: same terminal, every signal passed on, ends as the program ended. */
export function runProgram(command, programArguments, environment = process.env) {
  return new Promise((resolve) => {
    const { child, forget } = startHearing(command, programArguments, { env: environment, stdio: "inherit" });
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
 * Starts a child that hears the signals we are sent, and ends it when the one who started us was killed and could pass
 * nothing on. We listen before the child is there: one that is quick may be at work before `spawn` has returned.
 * Ctrl-C in a terminal is the exception: the terminal itself tells the child, and npm tells us a second time; the child
 * is to hear it once.
 * @returns the child, and a function that ends the passing on.
 */
export function startHearing(command, childArguments, options) {
  const listeners = signals.map((signal) => {
    const listener = () => {
      const heardItself = signal === "SIGINT" && process.stdin.isTTY;
      if (!heardItself) child.kill(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  const child = spawn(command, childArguments, options);
  const orphanWatch = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 500);
  const forget = () => {
    clearInterval(orphanWatch);
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
  return { child, forget };
}

export function endWith(code, signal) {
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
}
