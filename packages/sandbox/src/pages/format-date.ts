/** Formats a time for people, in UTC, because the time zone of the shopper is unknown. */
export function dateFormatter(locale: string): (time: number) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return (time) => `${format.format(time)} UTC`;
}
