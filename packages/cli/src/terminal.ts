/** Where a command speaks: answers on standard output, trouble on standard error. */
export type Terminal = { log(text: string): void; error(text: string): void };
