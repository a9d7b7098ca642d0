import type { Language } from "@tillkit/core";

type TimeOptions = {
  /** A name of the IANA database, such as `Africa/Abidjan`; UTC unless set. */
  readonly zone?: string;
  readonly withSeconds?: boolean;
};

/** A date with its time and zone. UTC by default, because operators of one shop may be in several countries. `at` in milliseconds since 1970. */
export function timeText(
  at: number,
  language: Language,
  { zone = "UTC", withSeconds = false }: TimeOptions = {},
): string {
  const { time, zoneName } = formatsOf(language, zone, withSeconds);
  const name = zoneName?.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  return `${time.format(at)} ${name}`;
}

type Formats = { readonly time: Intl.DateTimeFormat; readonly zoneName: Intl.DateTimeFormat | null };

// A format is expensive to create, and one page shows up to a hundred dates. There are at most four formats for each zone.
const formats = new Map<string, Formats>();

function formatsOf(language: Language, zone: string, withSeconds: boolean): Formats {
  const key = `${language} ${zone} ${withSeconds}`;
  const known = formats.get(key);
  if (known) return known;
  const locale = language === "fr" ? "fr-FR" : "en-GB";
  const timeStyle = withSeconds ? "medium" : "short";
  const created: Formats = {
    time: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle, timeZone: zone }),
    zoneName: zone === "UTC" ? null : new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: "short" }),
  };
  formats.set(key, created);
  return created;
}
