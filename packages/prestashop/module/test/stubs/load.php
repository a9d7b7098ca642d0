<?php
/** A shop of one request: the stubs, the module, and the tables of the shop. */

require_once __DIR__ . '/shop.php';
require_once __DIR__ . '/orders.php';
require_once __DIR__ . '/pages.php';
require_once __DIR__ . '/namespaces.php';
require_once __DIR__ . '/database.php';
const TILLKIT_BRIDGE_FOLDER = __DIR__ . '/../../../../php-bridge/php';
require_once __DIR__ . '/../../tillkit/tillkit.php';

/** The tables of the shop, with one product in stock, one customer, and a cart of 5000 F CFA. */
const SHOP_TABLES = array(
	'PRAGMA journal_mode = WAL',
	'CREATE TABLE ps_configuration (name TEXT, value TEXT, id_shop INT, PRIMARY KEY (name, id_shop))',
	'CREATE TABLE ps_currency (id_currency INTEGER PRIMARY KEY, iso_code TEXT, `precision` INT, active INT, deleted INT)',
	"INSERT INTO ps_currency VALUES (1, 'XOF', 0, 1, 0), (2, 'EUR', 2, 1, 0)",
	'CREATE TABLE ps_cart (id_cart INTEGER PRIMARY KEY, id_customer INT, id_shop INT, totals TEXT, id_voucher INT)',
	"INSERT INTO ps_cart VALUES (1, 7, 1, '5000.000000', 0)",
	'CREATE TABLE ps_customer (id_customer INTEGER PRIMARY KEY, email TEXT)',
	"INSERT INTO ps_customer VALUES (7, 'awa@example.com'), (8, 'other@example.com')",
	'CREATE TABLE ps_country (id_country INTEGER PRIMARY KEY, iso_code TEXT, call_prefix INT, active INT)',
	"INSERT INTO ps_country VALUES (1, 'SN', 221, 1)",
	'CREATE TABLE ps_address (id_address INTEGER PRIMARY KEY, firstname TEXT, lastname TEXT, phone TEXT, phone_mobile TEXT, id_country INT)',
	"INSERT INTO ps_address VALUES (3, 'Awa', 'Diop', '77 123 45 67', '', 1)",
	'CREATE TABLE ps_orders (id_order INTEGER PRIMARY KEY, reference TEXT, id_cart INT, id_customer INT, id_shop INT, id_lang INT, id_address_invoice INT, secure_key TEXT, id_currency INT, current_state INT, module TEXT, total_paid NUMERIC, total_paid_real NUMERIC, date_upd TEXT)',
	'CREATE TABLE ps_order_detail (id_order_detail INTEGER PRIMARY KEY, id_order INT, product_name TEXT, product_quantity INT)',
	'CREATE TABLE ps_order_history (id_order INT, id_order_state INT, date_add TEXT)',
	'CREATE TABLE ps_order_payment (id_order_payment INTEGER PRIMARY KEY, order_reference TEXT, amount NUMERIC, transaction_id TEXT, payment_method TEXT)',
	'CREATE TABLE ps_order_state (id_order_state INTEGER PRIMARY KEY, paid INT)',
	'CREATE TABLE ps_order_state_lang (id_order_state INT, id_lang INT, name TEXT)',
	'CREATE TABLE ps_order_slip (id_order INT, total_products_tax_incl NUMERIC, total_shipping_tax_incl NUMERIC)',
	'CREATE TABLE ps_cart_rule (id_cart_rule INTEGER PRIMARY KEY, quantity INT, active INT, leaves_rest INT)',
	'CREATE TABLE ps_order_cart_rule (id_order_cart_rule INTEGER PRIMARY KEY, id_order INT, id_cart_rule INT, deleted INT DEFAULT 0)',
	'CREATE TABLE ps_stock (quantity INT)',
	'INSERT INTO ps_stock VALUES (10)',
	'CREATE TABLE ps_shop_url (id_shop INT, main INT, domain TEXT, domain_ssl TEXT, physical_uri TEXT, virtual_uri TEXT)',
	"INSERT INTO ps_shop_url VALUES (1, 1, 'shop.example', 'shop.example', '/', ''), (2, 1, 'two.example', 'two.example', '/', '')",
	'CREATE TABLE ps_module_currency (id_module INT, id_shop INT, id_currency INT)',
	'CREATE TABLE ps_module_country (id_module INT, id_shop INT, id_country INT)',
	'CREATE TABLE ps_module_carrier (id_module INT, id_shop INT, id_reference INT)',
	'CREATE TABLE ps_module_group (id_module INT, id_shop INT, id_group INT)',
	'CREATE TABLE ps_carrier (id_reference INT, name TEXT, active INT, deleted INT)',
	"INSERT INTO ps_carrier VALUES (1, 'Post', 1, 0)",
	'CREATE TABLE ps_group_lang (id_group INT, id_lang INT, name TEXT)',
	'CREATE TABLE ps_tab (id_tab INTEGER PRIMARY KEY, class_name TEXT)',
	'CREATE TABLE mailbox (template TEXT, payment TEXT, recipient TEXT, subject TEXT, vars TEXT, language INT)',
);

const LINK_SECRET = 'link secret of the tests, never of a real shop';

/** A new shop in a folder of its own, in which the module is installed and connected. */
function open_shop( string $folder = '' ): void {
	start_request();
	Db::$folder = '' === $folder ? sys_get_temp_dir() . '/tillkit-ps-' . bin2hex( random_bytes( 6 ) ) : $folder;
	is_dir( Db::$folder ) || mkdir( Db::$folder );
	foreach ( SHOP_TABLES as $statement ) {
		Db::getInstance()->execute( $statement );
	}
	foreach ( STATES as $id => $paid ) {
		Db::getInstance()->execute( "INSERT INTO ps_order_state VALUES ($id, $paid)" );
		Db::getInstance()->execute( "INSERT INTO ps_order_state_lang VALUES ($id, 1, 'State $id')" );
	}
	module()->install();
	tillkit_host()->change_settings( array( 'enabled' => true, 'checkout_server' => 'https://pay.example', 'store' => 'boutique' ) );
	tillkit_save_link_secrets( LINK_SECRET, '' );
	sign_in( 7 );
}

/** Another request to the same shop: nothing of the one before is left. */
function start_request(): void {
	Db::close();
	Cache::$objects  = array();
	Hook::$listeners = array();
	Hook::$first     = array();
	Hook::$off       = array();
	Context::close();
	$_GET    = array();
	$_POST   = array();
	if ( 'cli' === PHP_SAPI ) {
		$_SERVER['REQUEST_METHOD'] = 'GET';
	}
	Web::$requests        = array();
	Web::$checkout_server = null;
	module( new Tillkit() );
}

function close_shop(): void {
	Db::close();
	array_map( 'unlink', glob( Db::$folder . '/*' ) );
	rmdir( Db::$folder );
}

/** The module, as the shop has loaded it. */
function module( ?Tillkit $loaded = null ): Tillkit {
	static $module = null;
	$module        = $loaded ?? $module;
	return $module;
}

function sign_in( int $customer ): void {
	Context::getContext()->customer = new Customer( $customer );
}

/** @param string|null $iso fr or en: the language of the page. */
function speak( string $iso ): void {
	Context::getContext()->language = new Language( 'fr' === $iso ? 2 : 1 );
}
