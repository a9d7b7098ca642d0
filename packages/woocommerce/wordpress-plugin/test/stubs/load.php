<?php
/** Stubs of the WordPress and WooCommerce functions that the plugin uses, with the behaviour that it relies on. */

const ABSPATH               = __DIR__;
const WC_VERSION            = '10.0.2';
const TILLKIT_BRIDGE_FOLDER = __DIR__ . '/../../../../php-bridge/php';

foreach ( array( 'state', 'stubs', 'hooks', 'options', 'database', 'text', 'http', 'rest', 'admin', 'order', 'woocommerce', 'gateway', 'email', 'logger', 'privacy', 'namespaces' ) as $part ) {
	require __DIR__ . "/$part.php";
}

require __DIR__ . '/../../tillkit-checkout/tillkit-checkout.php';
add_action( 'woocommerce_order_status_processing', 'wc_maybe_reduce_stock_levels' );
foreach ( array( 'pending_to_processing', 'on-hold_to_processing', 'on-hold_to_completed' ) as $change ) {
	add_action( "woocommerce_order_status_$change", array( 'WC_Emails', 'send_transactional_email' ), 10, 10 );
}
do_action( 'before_woocommerce_init' );
do_action( 'plugins_loaded' );
do_action( 'init' );
fire_email_actions( 'tillkit_order_needs_decision' );
