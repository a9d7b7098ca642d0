<?php
/** PrestaShop's own classes, as far as the module uses them, with what was measured on a real shop. */

const _PS_VERSION_    = '8.2.1';
const _DB_PREFIX_     = 'ps_';
const _DB_NAME_       = 'shop';
const _MYSQL_ENGINE_  = 'InnoDB';
const _PS_ROOT_DIR_   = __DIR__;
const __PS_BASE_URI__ = '/';

/** The states of a shop: id => paid. */
const STATES = array( 2 => 1, 4 => 0, 6 => 0, 7 => 0, 8 => 0 );

final class Cache {
	/** @var array<string,array> */
	public static $objects = array();

	public static function clean( string $pattern ): void {
		foreach ( array_keys( self::$objects ) as $key ) {
			if ( fnmatch( $pattern, $key ) ) {
				unset( self::$objects[ $key ] );
			}
		}
	}
}

/** A shop of the multistore has its own value, or that of all shops. Tags are taken out of a value. */
final class Configuration {
	const FIXED = array( 'PS_OS_PAYMENT' => '2', 'PS_OS_CANCELED' => '6', 'PS_OS_REFUND' => '7', 'PS_OS_ERROR' => '8', 'PS_SHOP_NAME' => 'Boutique', 'PS_SSL_ENABLED' => '1', 'PS_LANG_DEFAULT' => '2', 'PS_SHOP_EMAIL' => 'owner@shop.example', 'PS_SHOP_ENABLE' => '1' );

	public static function get( string $name, $language = null, $group = null, $shop = null ) {
		$shop = $shop ?? Context::getContext()->shop->id;
		$rows = Db::getInstance()->executeS( "SELECT value FROM ps_configuration WHERE name = '" . pSQL( $name ) . "' AND id_shop IN (0, " . (int) $shop . ') ORDER BY id_shop DESC', true, false );
		return $rows[0]['value'] ?? self::FIXED[ $name ] ?? false;
	}

	public static function updateValue( string $name, $value, bool $html = false, $group = null, $shop = null ): void {
		Db::getInstance()->execute( "INSERT OR REPLACE INTO ps_configuration (name, value, id_shop) VALUES ('" . pSQL( $name ) . "', '" . pSQL( (string) $value, $html ) . "', " . (int) ( $shop ?? Context::getContext()->shop->id ) . ')' );
	}

	public static function getGlobalValue( string $name ) {
		return self::get( $name, null, null, 0 );
	}

	public static function updateGlobalValue( string $name, $value ): void {
		self::updateValue( $name, $value, false, null, 0 );
	}

	public static function deleteByName( string $name ): void {
		Db::getInstance()->execute( "DELETE FROM ps_configuration WHERE name = '" . pSQL( $name ) . "'" );
	}
}

final class PrestaShopLogger {
	public static $lines = array();

	public static function addLog( string $line, int $severity ): void {
		self::$lines[] = $line;
	}
}

final class Shop {
	const CONTEXT_SHOP = 1;
	const CONTEXT_ALL  = 4;
	/** @var bool */
	public static $is_multistore = false;
	/** @var int */
	public static $kind = self::CONTEXT_SHOP;

	public static function isFeatureActive(): bool {
		return self::$is_multistore;
	}

	public static function getContext(): int {
		return self::$kind;
	}
}

final class Language {
	public $id;
	public $iso_code;
	public $locale;

	public function __construct( int $id ) {
		$this->id       = $id;
		$this->iso_code = 2 === $id ? 'fr' : 'en';
		$this->locale   = 2 === $id ? 'fr-FR' : 'en-US';
	}

	public static function getLanguages( bool $active ): array {
		return array( array( 'id_lang' => 1, 'locale' => 'en-US' ), array( 'id_lang' => 2, 'locale' => 'fr-FR' ) );
	}
}

final class Context {
	public $language;
	public $currency;
	public $shop;
	public $link;
	public $cookie;
	public $smarty;
	public $cart     = null;
	public $customer = null;
	public $employee = null;

	/** @var Context|null */
	private static $instance = null;

	public static function getContext(): Context {
		if ( null === self::$instance ) {
			self::$instance           = new Context();
			self::$instance->language = new Language( 1 );
			self::$instance->currency = (object) array( 'id' => 1, 'iso_code' => 'XOF', 'precision' => 0 );
			self::$instance->shop     = (object) array( 'id' => 1 );
			self::$instance->link     = new Link();
			self::$instance->cookie   = new Cookie();
			self::$instance->smarty   = new Smarty();
		}
		return self::$instance;
	}

	public static function close(): void {
		self::$instance = null;
	}

	public function formatPrice( $amount, string $currency ): string {
		return number_format( (float) $amount, 0, ',', ' ' ) . ' ' . ( 'XOF' === $currency ? 'F CFA' : $currency );
	}
}

/** Hooks swallow exceptions in production, and nothing else. */
final class Hook {
	/** @var array<string,callable[]> Of other modules. */
	public static $listeners = array();
	/** @var array<string,callable> Of another module that was installed before ours. */
	public static $first = array();
	/** @var string[] Hooks to which our module is not registered in this request. */
	public static $off = array();

	/** @return bool False if a listener said no: only e-mails ask. */
	public static function exec( string $name, array $parameters ): bool {
		$listeners = self::$listeners[ $name ] ?? array();
		if ( in_array( $name, Tillkit::HOOKS, true ) && ! in_array( $name, self::$off, true ) ) {
			array_unshift( $listeners, array( module(), 'hook' . ucfirst( $name ) ) );
		}
		if ( isset( self::$first[ $name ] ) ) {
			array_unshift( $listeners, self::$first[ $name ] );
		}
		$result = true;
		foreach ( $listeners as $listener ) {
			try {
				$result = false !== $listener( $parameters ) && $result;
			} catch ( Exception $error ) {
				PrestaShopLogger::addLog( get_class( $error ), 2 );
			}
		}
		return $result;
	}
}

/** The e-mail that confirms an order is sent by the shop in every state but error and cancelled. */
final class Mail {
	public static function Send( $idLang, $template, $subject, $templateVars, $to, $toName = null, $from = null, $fromName = null, $fileAttachment = null, $mode_smtp = null, $templatePath = '', $die = false, $idShop = null, $bcc = null, $replyTo = null ): bool {
		$mail = compact( 'idLang', 'template', 'subject', 'templateVars', 'to', 'toName', 'from', 'fromName', 'fileAttachment', 'templatePath', 'idShop', 'bcc', 'replyTo' );
		if ( ! Hook::exec( 'actionEmailSendBefore', $mail ) ) {
			return true;
		}
		$values = array_map( 'pSQL', array( $template, $templateVars['{payment}'] ?? '', $to, $subject, json_encode( $templateVars, JSON_UNESCAPED_UNICODE ) ) );
		Db::getInstance()->execute( "INSERT INTO mailbox (template, payment, recipient, subject, vars, language) VALUES ('" . implode( "', '", $values ) . "', $idLang)" );
		return true;
	}
}

abstract class Module {
	public $id = 5;
	public $name;
	public $tab;
	public $version;
	public $author;
	public $need_instance;
	public $bootstrap;
	public $currencies;
	public $currencies_mode;
	public $ps_versions_compliancy;
	public $controllers;
	public $displayName;
	public $description;
	public $active = true;
	public $context;

	public function __construct() {
		$this->context = Context::getContext();
	}

	public function install() {
		return true;
	}

	public function uninstall() {
		return true;
	}

	public function registerHook( $names ) {
		return true;
	}

	public function getPathUri(): string {
		return '/modules/tillkit/';
	}

	/** Texts without a translation stay as they are: the module must not depend on it. */
	protected function trans( $text, array $parameters = array(), $domain = null, $locale = null ) {
		$is_french = 'fr-FR' === ( $locale ?? Context::getContext()->language->locale );
		if ( ! $is_french ) {
			return $text;
		}
		if ( ! isset( french_texts()[ $text ] ) ) {
			throw new Exception( "There is no French for: $text" );
		}
		return french_texts()[ $text ];
	}
}

/** @return array<string,string> */
function french_texts(): array {
	static $texts = null;
	if ( null === $texts ) {
		preg_match_all( '/^msgid (".*")\nmsgstr (".*")$/m', file_get_contents( TILLKIT_BRIDGE_FOLDER . '/languages/fr.po' ) . "\n" . file_get_contents( __DIR__ . '/../../tillkit/languages/fr.po' ), $rows );
		$texts = array_combine( array_map( 'json_decode', $rows[1] ), array_map( 'json_decode', $rows[2] ) );
	}
	return $texts;
}

final class Tab {
	public $class_name;
	public $module;
	public $id_parent;
	public $active;
	public $name;
	private $id;

	public function __construct( int $id = 0 ) {
		$this->id = $id;
	}

	public function add(): bool {
		return Db::getInstance()->execute( "INSERT INTO ps_tab (class_name) VALUES ('{$this->class_name}')" );
	}

	public function delete(): bool {
		return Db::getInstance()->execute( "DELETE FROM ps_tab WHERE id_tab = {$this->id}" );
	}

	public static function getIdFromClassName( string $name ) {
		return Db::getInstance()->getValue( "SELECT id_tab FROM ps_tab WHERE class_name = '$name'", false );
	}
}

/** The checkout server, from the side of the shop. */
final class Web {
	/** @var array<int,array{url:string,headers:array,body:array}> */
	public static $requests = array();
	/** @var callable|null Receives purpose and body, and returns status and answer. Null: nobody answers. */
	public static $checkout_server = null;

	/** Tests that serve the shop over HTTP say where. */
	public static function shop_url(): string {
		return getenv( 'TILLKIT_SHOP_URL' ) ?: 'https://shop.example';
	}

	/** In a shop that is served over HTTP the checkout server is a real one. */
	public static function over_http( ArrayObject $request ) {
		$headers = implode( "\r\n", $request['options'][ CURLOPT_HTTPHEADER ] );
		$context = stream_context_create( array( 'http' => array( 'method' => 'POST', 'header' => $headers, 'content' => $request['options'][ CURLOPT_POSTFIELDS ], 'ignore_errors' => true, 'follow_location' => 0 ) ) );
		$answer  = @file_get_contents( $request['url'], false, $context );
		preg_match( '/ ([0-9]{3})/', $http_response_header[0] ?? '', $status );
		$request['status'] = (int) ( $status[1] ?? 0 );
		return $answer;
	}
}

if ( ! function_exists( 'curl_init' ) ) {
	foreach ( array( 'CURLOPT_POST', 'CURLOPT_POSTFIELDS', 'CURLOPT_HTTPHEADER', 'CURLOPT_RETURNTRANSFER', 'CURLOPT_FOLLOWLOCATION', 'CURLOPT_TIMEOUT', 'CURLOPT_MAXFILESIZE', 'CURLINFO_RESPONSE_CODE' ) as $number => $constant ) {
		defined( $constant ) || define( $constant, $number + 1 );
	}

	function curl_init( string $url ): ArrayObject {
		return new ArrayObject( array( 'url' => $url ) );
	}

	function curl_setopt_array( ArrayObject $request, array $options ): void {
		$request['options'] = $options;
	}

	function curl_exec( ArrayObject $request ) {
		$body            = json_decode( $request['options'][ CURLOPT_POSTFIELDS ], true );
		Web::$requests[] = array( 'url' => $request['url'], 'headers' => $request['options'][ CURLOPT_HTTPHEADER ], 'body' => $body );
		if ( null === Web::$checkout_server ) {
			return getenv( 'TILLKIT_SHOP_URL' ) ? Web::over_http( $request ) : false;
		}
		list( $request['status'], $answer ) = ( Web::$checkout_server )( basename( $request['url'] ), $body );
		return json_encode( $answer );
	}

	function curl_getinfo( ArrayObject $request, int $what ): int {
		return $request['status'];
	}
}
