<?php
/** What the bridge asks of the shop in which it runs. Each platform implements this interface and Tillkit_Order, and nothing else. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

interface Tillkit_Host {

	/** @return array{enabled:bool,checkout_server:string,store:string,dashboard:string,owner_pages:bool,test:bool,log:bool} What the owner has set. */
	public function settings(): array;

	/** @param array<string,bool|string> $changes Settings by name; the others stay. */
	public function change_settings( array $changes ): void;

	/**
	 * Reads what the bridge stores in the shop, past every cache: `link_secrets`, `pairing`, `environment` and `copy_of`. Null if it is missing.
	 *
	 * @return array|string|null
	 */
	public function load( string $name );

	/** @param array|string|null $value Null removes it. */
	public function save( string $name, $value ): void;

	/** A text that was remembered, for as long as it was to be remembered; else empty. */
	public function recall( string $name ): string;

	/** @param string $text An empty text is forgotten. */
	public function remember( string $name, string $text, int $seconds ): void;

	/**
	 * Runs the work while no other process holds the lock of that name.
	 *
	 * @return mixed The result of the work; null if the lock was not free within that time.
	 */
	public function with_lock( string $name, int $seconds, callable $work );

	/**
	 * Asked by the holder of that lock right before a write: whether it holds the lock no more, because PHP was frozen until the lock expired, or
	 * because the platform has replaced the connection of the database, without a word, in a slow hook. A lock that expires begins anew.
	 */
	public function has_lost_lock( string $name ): bool;

	/** The order as the database has it now, past every cache. Null if there is none. */
	public function order( string $id ): ?Tillkit_Order;

	/**
	 * Carries out a call of the checkout server that writes an order: `mark-paid`, `hold`, `note`, `record-refund` or `close-order`. The caller
	 * holds the lock of the order.
	 *
	 * @param array $fields As calls/read-fields.php reads them.
	 * @return array|Tillkit_Error
	 */
	public function write_order( string $purpose, array $fields, int $now );

	/**
	 * Answers `read-order` or `list-orders`.
	 *
	 * @param array $fields As tillkit_read_query() reads them.
	 * @return array|null Null where the checkout server reads orders by the API of the platform.
	 */
	public function read_orders( string $purpose, array $fields ): ?array;

	/** Tells the owner by e-mail that the order needs a decision. */
	public function announce_decision( Tillkit_Order $order ): void;

	/**
	 * Sends a POST request. Without a time to wait, nobody waits for the answer.
	 *
	 * @param array<string,string> $headers
	 * @return array{status:int,body:string}|null Null if nobody answered.
	 */
	public function post( string $url, array $headers, string $body, int $seconds ): ?array;

	/** @param string $level debug, info, warning or error */
	public function log( string $level, string $line ): void;

	/** The text in the language of the page: languages/fr.po has all texts of the bridge. */
	public function translate( string $text ): string;

	/** @return string fr or en: the language of the page. */
	public function language(): string;

	/** A time as the shop writes it. @param string $part date or time */
	public function time_text( int $at, string $part ): string;

	/** An amount as the shop shows it. @param string $amount A decimal number, in units of the currency. */
	public function price_text( string $amount, string $currency ): string;

	/** The role and id of the person who acts, such as `shop_manager #7`. Empty for a program. */
	public function actor(): string;

	/** The address of the shop as its owner set it. */
	public function site_address(): string;

	/**
	 * `version`: of the plugin. `platform`: name and version of the shop's software. `decimals`: of prices. `paid_status`: what an owner sets an
	 * order to that is paid, such as "Processing or Completed".
	 *
	 * @return array{name:string,currency:string,decimals:int,settings_url:string,version:string,platform:string,paid_status:string}
	 */
	public function shop(): array;
}

/** An order of the shop, in the same notation on every platform. */
interface Tillkit_Order {

	public function id(): string;

	/** The secret of the order, which pay links and calls about it name. */
	public function key(): string;

	/** The id as people know it. */
	public function number(): string;

	/** An exact decimal number, with the decimals of the order's currency or more. */
	public function total(): string;

	public function currency(): string;

	/** Something that the bridge has written to the order; empty if it has not. */
	public function fact( string $name ): string;

	/** @param array<string,string> $facts Saved at once. An empty text removes a fact. */
	public function write_facts( array $facts ): void;

	/** Adds a note that only the owner sees. */
	public function add_note( string $text ): void;
}

/** The shop in which the bridge runs. */
function tillkit_host( ?Tillkit_Host $begun = null ): Tillkit_Host {
	static $host = null;
	$host        = $begun ?? $host;
	return $host;
}
