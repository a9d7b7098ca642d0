type ConfigInput = {
  readonly url: string;
  /** The name of the database. */
  readonly name: string;
  readonly databaseSocket: string;
};

/**
 * The configuration of a site. Every notice of PHP and WordPress goes into a file. Requests to other machines are refused, and
 * scheduled tasks run when a test asks for wp-cron.php.
 */
export function wpConfig({ url, name, databaseSocket }: ConfigInput): string {
  const salts = ["AUTH", "SECURE_AUTH", "LOGGED_IN", "NONCE"].flatMap((salt) => [`${salt}_KEY`, `${salt}_SALT`]);
  const constants = {
    DB_NAME: name,
    DB_USER: "root",
    DB_PASSWORD: "",
    DB_HOST: `localhost:${databaseSocket}`,
    DB_CHARSET: "utf8mb4",
    WP_HOME: url,
    WP_SITEURL: url,
    WP_DEBUG: true,
    WP_DEBUG_DISPLAY: false,
    WP_DEBUG_LOG: false,
    DISABLE_WP_CRON: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    WP_HTTP_BLOCK_EXTERNAL: true,
    WP_ACCESSIBLE_HOSTS: "127.0.0.1",
    CONCATENATE_SCRIPTS: false,
    ...Object.fromEntries(salts.map((salt) => [salt, `${salt} of the tests and of no real site`])),
  };
  const lines = Object.entries(constants).map(
    ([constant, value]) => `define( '${constant}', ${typeof value === "string" ? `'${value}'` : value} );`,
  );
  return `<?php
ini_set( 'log_errors', '1' );
ini_set( 'error_log', __DIR__ . '/problems.log' );
${lines.join("\n")}
$table_prefix = 'wp_';
if ( is_readable( __DIR__ . '/network.php' ) ) { require __DIR__ . '/network.php'; }
if ( ! defined( 'ABSPATH' ) ) { define( 'ABSPATH', __DIR__ . '/' ); }
require_once ABSPATH . 'wp-settings.php';
`;
}
