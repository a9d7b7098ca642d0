import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inject } from "vitest";
import { freePort } from "../../../../../test/programs/free-port.ts";
import { compileTranslations } from "../../compile-translations.ts";
import { copyDatabase, runSql } from "./mariadb.ts";
import { servePhp } from "./php-server.ts";
import { wpConfig } from "./wp-config.ts";

const run = promisify(execFile);
const pluginTests = fileURLToPath(new URL("..", import.meta.url));

export const OWNER = { name: "awa", password: "the password of the owner in tests" };

export type SiteOptions = {
  readonly version: "6.2" | "6.5";
  readonly database: "mariadb" | "sqlite";
};

/** A real WordPress with the fake of WooCommerce, not yet activated, beside it. */
export type Site = {
  readonly url: string;
  readonly version: SiteOptions["version"];
  readonly folder: string;
  /** Runs PHP inside WordPress, on the command line. @returns what the code returns, through JSON */
  php<Result = unknown>(code: string): Promise<Result>;
  /**
   * What PHP and WordPress reported so far: notices, warnings, deprecations and errors. Left out: reports about the SQLite driver,
   * and what PHP 8.4 says of declarations in this release of WordPress.
   */
  problems(): Promise<string>;
  /** A staging copy on another host: the same files, and the same database with all its secrets. Only for a site on MariaDB. */
  clone(): Promise<Site>;
  close(): Promise<void>;
};

const SQLITE_DRIVER = "sqlite-database-integration-main";

let sites = 0;

/** Installs WordPress into a new folder and a new database, and serves it with several processes. */
export async function openSite({ version, database }: SiteOptions): Promise<Site> {
  const context = inject("wordpress");
  if (context.skipReason !== null) throw new Error(context.skipReason);
  const { builds, databaseSocket } = context;
  const folder = await mkdtemp(join(tmpdir(), "tillkit-wordpress-"));
  await run("unzip", ["-q", join(builds, "src", "wordpress", `wp-${version}.zip`), "-d", folder]);
  // The release contains a site that is installed already.
  await rm(join(folder, "wp-content", "database"), { recursive: true });
  const name = nextDatabase();
  if (database === "mariadb") await runSql(databaseSocket, `create database ${name}`);
  else await addSqlite(folder, builds);
  await addFakeWooCommerce(folder);
  await addLanguages(folder);
  const mustUse = join(folder, "wp-content", "mu-plugins");
  await cp(fileURLToPath(new URL("offline.php", import.meta.url)), join(mustUse, "offline.php"));
  return await serveSite({ folder, name, version, host: "127.0.0.1" }, async (php) => {
    await php(`require ABSPATH . 'wp-admin/includes/upgrade.php';
      wp_install( 'Chez Awa', '${OWNER.name}', 'awa@shop.example', true, '', '${OWNER.password}' );
      update_option( 'permalink_structure', '/%postname%/' );
      return true;`);
  });
}

function nextDatabase(): string {
  return `site${process.pid}_${++sites}`;
}

type Place = Pick<Site, "folder" | "version"> & { readonly name: string; readonly host: string };

async function serveSite(place: Place, prepare: (php: Site["php"]) => Promise<void>): Promise<Site> {
  const context = inject("wordpress");
  if (context.skipReason !== null) throw new Error(context.skipReason);
  const { builds, databaseSocket } = context;
  const { folder, name, version, host } = place;
  const port = await freePort();
  const url = `http://${host}:${port}`;
  await writeFile(join(folder, "wp-config.php"), wpConfig({ url, name, databaseSocket }));
  const php = createPhp(folder);
  await prepare(php);
  const stop = await servePhp({ folder, host, port, assets: join(builds, "public", `wp-${version}`) });
  return {
    ...{ url, version, folder, php },
    async problems() {
      const lines = (await readFile(join(folder, "problems.log"), "utf8").catch(() => "")).split("\n");
      const known = new RegExp(`${SQLITE_DRIVER}|Implicitly marking parameter .*/wp-(?:includes|admin)/`);
      return lines.filter((line) => !known.test(line)).join("\n");
    },
    async clone() {
      const copy = await mkdtemp(join(tmpdir(), "tillkit-wordpress-"));
      await cp(folder, copy, { recursive: true });
      const copied = { folder: copy, name: nextDatabase(), version, host: "127.0.0.2" };
      await copyDatabase(databaseSocket, name, copied.name);
      return await serveSite(copied, async () => {});
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addSqlite(folder: string, builds: string): Promise<void> {
  const archive = join(builds, "src", "sqlite-database-integration", "sqlite-database-integration.zip");
  const plugins = join(folder, "wp-content", "mu-plugins");
  await run("unzip", ["-q", archive, "-d", plugins]);
  const driver = join(plugins, SQLITE_DRIVER);
  const source = await readFile(join(driver, "db.copy"), "utf8");
  const placed = source
    .replace("{SQLITE_IMPLEMENTATION_FOLDER_PATH}", driver)
    .replace("{SQLITE_PLUGIN}", `${SQLITE_DRIVER}/load.php`);
  await writeFile(join(folder, "wp-content", "db.php"), placed);
}

async function addFakeWooCommerce(folder: string): Promise<void> {
  const plugin = join(folder, "wp-content", "plugins", "woocommerce");
  await mkdir(plugin, { recursive: true });
  await cp(join(pluginTests, "woocommerce"), plugin, { recursive: true });
  await cp(join(pluginTests, "stubs"), join(plugin, "stubs"), { recursive: true });
}

/** WordPress offers a language only if its own translation is installed. These translations contain no text. */
async function addLanguages(folder: string): Promise<void> {
  const languages = join(folder, "wp-content", "languages");
  await mkdir(languages, { recursive: true });
  const empty = compileTranslations(new Map([["", "Plural-Forms: nplurals=2; plural=n > 1;\n"]]));
  for (const locale of ["fr_FR", "fr_BE", "fr_CA"]) {
    await writeFile(join(languages, `${locale}.mo`), empty);
    await writeFile(join(languages, `admin-${locale}.mo`), empty);
  }
}

/** PHP on the command line, with WordPress loaded. Mails are swallowed: WordPress sends one when it is installed. */
function createPhp(folder: string): Site["php"] {
  return async <Result>(code: string) => {
    const installing = code.includes("wp_install") ? "define( 'WP_INSTALLING', true );" : "";
    const admin = ["plugin", "file"].map((name) => `require_once ABSPATH . 'wp-admin/includes/${name}.php';`).join(" ");
    const program = `${installing} require 'wp-load.php'; ${admin} echo "\\n", json_encode( ( static function () { ${code} } )() );`;
    const { stdout } = await run("php", ["-d", "sendmail_path=/bin/true", "-r", program], { cwd: folder });
    return JSON.parse(stdout.slice(stdout.lastIndexOf("\n"))) as Result;
  };
}
