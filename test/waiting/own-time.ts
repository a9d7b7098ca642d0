/**
 * Returns a function for the processor time, in milliseconds, that this process has used since. What a test waits for in its own process
 * needs this time, and other programs on a busy machine do not make it pass, as they do on a clock.
 */
export function startOwnTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
