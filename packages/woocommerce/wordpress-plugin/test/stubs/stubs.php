<?php
/** The settings and the recorded calls of the stubs. Each test starts with a reset. */

final class Stubs {
	public static $locale;
	public static $capabilities;
	/** The entries of WooCommerce's log: level, text and source. */
	public static $logged;
	/** The requests that the plugin made inside WordPress. */
	public static $inside;
	/** What answers the calls to the checkout server: a function of the address and the options. Null for no answer. */
	public static $checkout_server;
	/** The calls to the checkout server: the address and the options of each. */
	public static $calls;
	public static $notices;
	public static $errors;
	public static $scripts;
	public static $styles;
	/** The parts of the page's address that WordPress has read. */
	public static $query_vars;
	/** The boxes that were added to the order's page. */
	public static $boxes;
	/** Address => HTML of the entries that were added to the menu. */
	public static $menu;
	/** The e-mails to the owner: to, subject and message. */
	public static $owner_mails;
	/** Whether orders have their own tables. */
	public static $hpos;
	public static $decimals;
	public static $currency;
	/** mysql, sqlite (answers 1=1 and locks nothing) or none (an error). */
	public static $locks;
	/** Whether a proxy sends each statement over another connection. */
	public static $is_pooled;
	/** Whether WC_Order::payment_complete() changes the order. */
	public static $complete_works;
	/** What was removed from caches, such as "post:1042". */
	public static $cleared;
	/** The ids of the sites of a network; empty for a WordPress that is no network. */
	public static $sites;
	/** The id of the site that is switched to. */
	public static $site;
	public static $is_admin;
	public static $is_store_api = false;
	public static $is_rest;
	/** The orders for which an e-mail was sent to the customer. */
	public static $mails;

	public static function reset(): void {
		self::$locale          = 'en_US';
		self::$capabilities    = array( 'manage_woocommerce', 'edit_shop_orders', 'activate_plugins' );
		self::$logged          = array();
		self::$inside          = array();
		self::$checkout_server = null;
		self::$calls           = array();
		self::$notices         = array();
		self::$errors          = array();
		self::$scripts         = array();
		self::$styles          = array();
		self::$query_vars      = array();
		self::$boxes           = array();
		self::$menu            = array();
		self::$owner_mails     = array();
		self::$hpos            = true;
		self::$decimals        = 2;
		self::$currency        = 'XOF';
		self::$locks           = 'mysql';
		self::$is_pooled       = false;
		self::$complete_works  = true;
		self::$cleared         = array();
		self::$sites           = array();
		self::$site            = 1;
		self::$is_admin        = false;
		self::$is_store_api    = false;
		self::$is_rest         = false;
		self::$mails           = array();
		$_POST                 = array();
		$_GET                  = array();
	}
}
Stubs::reset();

/** Thrown where WordPress would end the request. */
final class Request_Ended extends Exception {
	public $status;
	public $body;

	public function __construct( int $status, $body ) {
		parent::__construct( "ended with $status" );
		$this->status = $status;
		$this->body   = $body;
	}
}
