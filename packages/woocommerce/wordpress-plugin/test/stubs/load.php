<?php
/** Just enough WordPress and WooCommerce for the plugin, behaving as the real ones do where the plugin relies on it. */

const ABSPATH    = __DIR__;
const WC_VERSION = '10.0.2';

foreach ( array( 'state', 'stubs', 'hooks', 'options', 'database', 'words', 'http', 'rest', 'admin', 'order', 'woocommerce', 'gateway', 'namespaces' ) as $part ) {
	require __DIR__ . "/$part.php";
}

require __DIR__ . '/../../tillkit-checkout/tillkit-checkout.php';
do_action( 'before_woocommerce_init' );
do_action( 'plugins_loaded' );
do_action( 'init' );
