<?php
/** What the stubs were told and what they saw; begins anew with each test. */

final class Stubs {
	public static $locale;
	public static $capabilities;
	public static $companion;
	public static $calls;
	public static $notices;
	public static $mistakes;
	public static $scripts;
	public static $boxes;
	public static $decimals;
	public static $currency;
	/** mysql, sqlite (answers 1=1 and locks nothing) or none (an error). */
	public static $locks;
	public static $complete_works;
	public static $cleared;
	public static $sites;
	public static $site;
	public static $is_admin;
	public static $is_rest;
	/** Orders whose customer was mailed about the order. */
	public static $mails;

	public static function reset(): void {
		self::$locale         = 'en_US';
		self::$capabilities   = array( 'manage_woocommerce', 'edit_shop_orders', 'activate_plugins' );
		self::$companion      = null;
		self::$calls          = array();
		self::$notices        = array();
		self::$mistakes       = array();
		self::$scripts        = array();
		self::$boxes          = array();
		self::$decimals       = 2;
		self::$currency       = 'XOF';
		self::$locks          = 'mysql';
		self::$complete_works = true;
		self::$cleared        = array();
		self::$sites          = array();
		self::$site           = 1;
		self::$is_admin       = false;
		self::$is_rest        = false;
		self::$mails          = array();
		$_POST                = array();
	}
}
Stubs::reset();

/** How a request ends in WordPress. */
final class Request_Ended extends Exception {
	public $status;
	public $body;

	public function __construct( int $status, $body ) {
		parent::__construct( "ended with $status" );
		$this->status = $status;
		$this->body   = $body;
	}
}
