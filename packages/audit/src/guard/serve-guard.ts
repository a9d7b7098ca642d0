import { systemClock } from "@tillkit/core";
import { createJsonLog } from "@tillkit/runtime";
import { type Channel, createEmailChannel, createWebhookChannel, serveUntilStopped } from "@tillkit/server";
import { type AuditConfig, shopName } from "../config.ts";
import { openReaders } from "../open-readers.ts";
import { openGuard } from "./guard.ts";
import { createGuardServer } from "./guard-server.ts";

export type ServeGuardOptions = {
  readonly config: AuditConfig;
  /** Called once the page is served. */
  readonly started: (facts: {
    readonly baseUrl: string;
    readonly shops: readonly string[];
    readonly pid: number;
  }) => void;
};

const MINUTE = 60_000;

/** Watches until Ctrl-C or SIGTERM. @throws Error when the page cannot be served on its address */
export async function serveGuard({ config, started }: ServeGuardOptions): Promise<void> {
  const { alerts, listen = { host: "127.0.0.1", port: 8_080 }, language } = config;
  const readers = await openReaders(config);
  const everyMs = config.everyMinutes * MINUTE;
  const guard = await openGuard({
    store: config.store ?? "sqlite:.tillkit/guard.db",
    readers,
    channels: channelsOf(alerts),
    clock: systemClock,
    log: createJsonLog({ level: "info" }),
    language,
    days: config.days,
    everyMs,
    alertEveryMs: (alerts?.everyMinutes ?? 15) * MINUTE,
    pageUrl: config.publicUrl ?? null,
  });
  const server = createGuardServer(guard, {
    language,
    token: config.token ?? null,
    everyMs,
    now: () => systemClock.now(),
  });
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  await serveUntilStopped({
    server,
    listen,
    started: (address) => {
      running = guard.run(stop.signal);
      started({ baseUrl: `http://${address}`, shops: config.shops.map(shopName), pid: process.pid });
    },
    async close() {
      stop.abort();
      await running;
      await guard.close();
      await readers.close();
    },
  });
}

function channelsOf(alerts: AuditConfig["alerts"]): readonly Channel[] {
  return [
    ...(alerts?.email === undefined ? [] : [createEmailChannel(alerts.email)]),
    ...(alerts?.webhook === undefined ? [] : [createWebhookChannel(alerts.webhook)]),
  ];
}
