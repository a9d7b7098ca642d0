/** Why an address is refused, or null: as the start of other addresses, as a page, and as a picture on our pages. */
export type Verdict = string | null;

/** An address that a person may write, with what each use of an address does with it. */
export type Probe = {
  readonly address: string;
  readonly base: Verdict;
  readonly page: Verdict;
  readonly picture: Verdict;
};

const same = (address: string, verdict: Verdict): Probe => ({
  address,
  base: verdict,
  page: verdict,
  picture: verdict,
});
const local = (address: string): Probe => ({ address, base: null, page: null, picture: "not_https" });
const part = (address: string, base: Verdict): Probe => ({ address, base, page: null, picture: null });

export const probes: readonly Probe[] = [
  same("https://host.example/x", null),
  same("https://host.example:8443/x/", null),
  same("https://bücher.example/x", null),
  same("https://[2001:db8::1]/x", null),
  same("https://shop.localhost/x", null),
  local("http://localhost:8000/x"),
  local("http://127.0.0.1:9000/x"),
  local("http://127.8.8.8/x"),
  local("http://[::1]:9000/x"),
  same("http://host.example/x", "not_https"),
  same("http://shop.localhost/x", "not_https"),
  same("http://localhost.evil.example/x", "not_https"),
  same("http://127.0.0.1.evil.example/x", "not_https"),
  same("http://10.0.0.1/x", "not_https"),
  same("http://0.0.0.0/x", "not_https"),
  same("http://[::2]/x", "not_https"),
  same("ftp://127.0.0.1/x", "not_https"),
  same("javascript:alert(1)/x", "not_https"),
  same("https://user:hunter2@host.example/x", "has_user"),
  same("https://hunter2@host.example/x", "has_user"),
  same("http://user:hunter2@localhost/x", "has_user"),
  part("https://host.example/x?a=hunter2", "has_query"),
  part("https://host.example/x?a=1#hunter2", "has_query"),
  part("https://host.example/x#hunter2", "has_fragment"),
  same("host.example/x", "not_absolute"),
  same("//host.example/x", "not_absolute"),
  same("https://user:hunter2@/x", "not_absolute"),
  same("", "not_absolute"),
];
