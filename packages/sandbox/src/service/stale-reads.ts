import type { EarlierRows } from "./earlier-rows.ts";
import type { Change, Service } from "./service.ts";

/** Remembers a row that a change is about to replace, while the setting `staleReadsMs` is on. */
export function keepEarlier<Row>({ service, now }: Change, earlier: EarlierRows<Row>, id: string, row: Row): void {
  if (service.settings.staleReadsMs > 0) earlier.keep(id, row, now);
}

/** The row as a read shows it: as it was `staleReadsMs` ago. */
export function staleRow<Row>(service: Service, earlier: EarlierRows<Row>, id: string, row: Row): Row {
  const { staleReadsMs } = service.settings;
  return staleReadsMs === 0 ? row : earlier.asOf(id, row, service.clock.now() - staleReadsMs);
}
