<?php
/**
 * Plugin Name: WooCommerce
 * Description: Not WooCommerce. The parts of it that Tillkit Checkout uses, for the tests in a real WordPress.
 * Version: 10.0.2
 *
 * The tests copy the folder stubs beside this file. Orders are in a file in the uploads folder, everything else in WordPress.
 */

defined( 'ABSPATH' ) || exit;

const WC_VERSION = '10.0.2';

// The stubs begin with an empty request, as each of the tests in plain PHP does.
$fake_request = array( $_GET, $_POST, $_REQUEST );
foreach ( array( 'state', 'stubs', 'order', 'woocommerce', 'gateway', 'email', 'logger', 'namespaces' ) as $fake_part ) {
	require_once __DIR__ . "/stubs/$fake_part.php";
}
list( $_GET, $_POST, $_REQUEST ) = $fake_request;
foreach ( array( 'orders', 'admin-pages', 'shop-pages', 'rest-orders' ) as $fake_part ) {
	require_once __DIR__ . "/$fake_part.php";
}

fake_open_orders();
add_action( 'woocommerce_order_status_processing', 'wc_maybe_reduce_stock_levels' );
add_action( 'woocommerce_order_status_pending_to_processing', array( 'WC_Emails', 'send_transactional_email' ), 10, 10 );
register_activation_hook( __FILE__, 'fake_add_roles' );
add_action(
	'init',
	static function (): void {
		do_action( 'before_woocommerce_init' );
		do_action( 'woocommerce_init' );
	},
	0
);
add_action( 'admin_menu', 'fake_add_admin_pages' );
add_action( 'template_redirect', 'fake_show_shop_page' );
add_action( 'rest_api_init', 'fake_register_orders' );

/** WooCommerce gives these capabilities to administrators and shop managers. */
function fake_add_roles(): void {
	$capabilities = array( 'manage_woocommerce', 'edit_shop_orders', 'edit_others_shop_orders', 'read_private_shop_orders' );
	add_role( 'shop_manager', 'Shop manager', array( 'read' => true ) );
	foreach ( array( 'administrator', 'shop_manager' ) as $role ) {
		foreach ( $capabilities as $capability ) {
			get_role( $role )->add_cap( $capability );
		}
	}
}

/** @return WC_Payment_Gateway[] By id, as WooCommerce makes them: from class names or from objects. */
function fake_gateways(): array {
	$gateways = array();
	foreach ( apply_filters( 'woocommerce_payment_gateways', array() ) as $gateway ) {
		$gateway                  = is_string( $gateway ) ? new $gateway() : $gateway;
		$gateways[ $gateway->id ] = $gateway;
	}
	return $gateways;
}
