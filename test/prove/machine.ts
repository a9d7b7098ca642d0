import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";

/** Describes the machine on which the numbers were measured. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() || `a ${arch()} processor`;
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}, ${platform()} ${release()}`;
}
