<?php
/** Answers `ping`: settings that only the plugin can read. */

defined( 'ABSPATH' ) || exit;

function tillkit_ping( int $now ): array {
	$settings = tillkit_settings();
	$orders   = 'Automattic\WooCommerce\Utilities\OrderUtil';
	return array(
		'protocol'        => 1,
		'plugin'          => TILLKIT_VERSION,
		'wordpress'       => (string) get_bloginfo( 'version' ),
		'woocommerce'     => (string) WC_VERSION,
		'php'             => PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION,
		'time'            => $now,
		'currency'        => (string) get_woocommerce_currency(),
		'decimals'        => (int) wc_get_price_decimals(),
		'gateway'         => $settings['enabled'],
		'hpos'            => class_exists( $orders ) && $orders::custom_orders_table_usage_is_enabled(),
		'permalinks'      => '' !== (string) get_option( 'permalink_structure', '' ),
		'checkout_server' => $settings['checkout_server'],
	);
}
