import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type PhpServerOptions = {
  readonly folder: string;
  /** An address of this machine, such as 127.0.0.1. */
  readonly host: string;
  readonly port: number;
  /** Scripts and styles that the release of WordPress on npm keeps in a separate folder. */
  readonly assets: string;
};

/** Serves a folder with six processes of PHP. @returns a function that stops them */
export async function servePhp({ folder, host, port, assets }: PhpServerOptions): Promise<() => Promise<void>> {
  const router = fileURLToPath(new URL("router.php", import.meta.url));
  const settings = ["-d", "sendmail_path=/bin/true", "-d", "upload_max_filesize=8M", "-d", "opcache.enable_cli=1"];
  const server = spawn("php", [...settings, "-S", `${host}:${port}`, "-t", folder, router], {
    cwd: folder,
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: "6", TILLKIT_ASSETS: assets },
    stdio: "ignore",
    detached: true,
  });
  const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`http://${host}:${port}/${join("wp-includes", "version.php")}`).catch(() => null);
    if (answer !== null) break;
    if (attempt > 100) throw new Error("PHP's web server did not start within ten seconds.");
    await sleep(100);
  }
  return async () => {
    // The server's six processes belong to one process group, which is stopped as a whole.
    if (server.pid !== undefined) process.kill(-server.pid);
    await exited;
  };
}
