<?php
/**
 * Plugin Name: Tillkit Checkout for WooCommerce
 * Description: Mobile money and cards on a hosted payment page. Orders are marked paid exactly once.
 * Version: 0.1.0
 * Requires at least: 6.2
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 10.2
 * Author: Tillkit
 * License: MIT
 * License URI: https://opensource.org/licenses/MIT
 * Text Domain: tillkit-checkout
 * Domain Path: /languages
 */

defined( 'ABSPATH' ) || exit;

const TILLKIT_VERSION     = '0.1.0';
const TILLKIT_PLUGIN_FILE = __FILE__;

// The zip has the bridge in the folder of the plugin. In the repository other shops' plugins share it.
defined( 'TILLKIT_BRIDGE_FOLDER' ) || define( 'TILLKIT_BRIDGE_FOLDER', __DIR__ . '/bridge' );

add_action( 'before_woocommerce_init', 'tillkit_declare_compatibility' );
add_action( 'plugins_loaded', 'tillkit_start' );
add_action( 'init', 'tillkit_load_translations' );
add_filter( 'load_textdomain_mofile', 'tillkit_translation_file', 10, 2 );

/** Registers all hooks of the plugin. */
function tillkit_start(): void {
	if ( ! defined( 'WC_VERSION' ) || version_compare( WC_VERSION, '8.2', '<' ) ) {
		add_action( 'admin_notices', 'tillkit_show_woocommerce_notice' );
		return;
	}
	tillkit_require_parts();

	add_filter( 'woocommerce_payment_gateways', 'tillkit_add_gateway' );
	add_filter( 'woocommerce_payment_gateways', 'tillkit_add_method_gateways' );
	add_filter( 'woocommerce_available_payment_gateways', 'tillkit_separate_methods' );
	add_action( 'woocommerce_blocks_payment_method_type_registration', 'tillkit_register_blocks_method' );
	add_filter( 'plugin_action_links_' . plugin_basename( TILLKIT_PLUGIN_FILE ), 'tillkit_add_settings_link' );

	add_action( 'rest_api_init', 'tillkit_register_routes' );
	add_action( 'woocommerce_order_status_changed', 'tillkit_record_owner_decision', 10, 4 );
	add_action( 'woocommerce_order_status_changed', 'tillkit_follow_cancelled_order', 20 );
	add_action( 'woocommerce_order_refunded', 'tillkit_follow_cancelled_order' );
	add_filter( 'woocommerce_rest_pre_insert_shop_order_object', 'tillkit_refuse_stale_write', 10, 2 );
	add_action( 'woocommerce_rest_insert_shop_order_object', 'tillkit_end_checkout_server_write' );
	add_action( 'woocommerce_rest_insert_shop_order_object', 'tillkit_notice_rest_decision', 20, 2 );
	add_action( 'woocommerce_email_sent', 'tillkit_remember_customer_email', 10, 3 );
	add_filter( 'woocommerce_email_actions', 'tillkit_add_email_action' );
	add_filter( 'woocommerce_email_classes', 'tillkit_add_email_class' );
	tillkit_add_order_list_hooks();
	add_filter( 'woocommerce_cancel_unpaid_order', 'tillkit_keep_open_order', 10, 2 );
	tillkit_add_shopper_page_hooks();

	add_action( 'add_meta_boxes', 'tillkit_add_order_box', 10, 2 );
	add_action( 'wp_ajax_tillkit_order', 'tillkit_answer_order_box' );
	add_action( 'wp_ajax_tillkit_health', 'tillkit_answer_health' );
	add_action( 'wp_ajax_tillkit_preview', 'tillkit_answer_preview' );
	add_action( 'wp_ajax_tillkit_decimals', 'tillkit_answer_decimals' );
	add_action( 'admin_notices', 'tillkit_show_decimals_notice' );
	add_action( 'wp_ajax_tillkit_moved', 'tillkit_answer_moved' );
	add_action( 'wp_ajax_tillkit_copy', 'tillkit_answer_copy' );
	add_action( 'admin_notices', 'tillkit_show_copy_notice' );
	tillkit_add_privacy_hooks();
	add_action( 'admin_post_tillkit_pair', 'tillkit_answer_pair_page' );
	add_action( 'admin_post_tillkit_open_payments', 'tillkit_answer_open_payments' );
	add_action( 'admin_post_tillkit_disconnect', 'tillkit_answer_disconnect_page' );
}

/** Loads the bridge and the files of the plugin, which only declare functions. */
function tillkit_require_parts(): void {
	require_once TILLKIT_BRIDGE_FOLDER . '/bridge.php';
	$parts = array(
		'shop/class-tillkit-wordpress-host',
		'shop/class-tillkit-woo-order',
		'shop/settings',
		'checkout/currency',
		'checkout/methods',
		'checkout/texts',
		'checkout/pay-order',
		'checkout/class-tillkit-gateway',
		'checkout/class-tillkit-method-gateway',
		'checkout/separate-methods',
		'checkout/blocks',
		'checkout/keep-open-order',
		'shopper-pages/wait',
		'shopper-pages/wait-state',
		'shopper-pages/failed-payment',
		'orders/database-lock',
		'orders/row-lock',
		'orders/fresh-order',
		'orders/paid-by',
		'orders/owner-decision',
		'orders/stale-write',
		'orders/mark-paid',
		'orders/after-payment',
		'orders/hold',
		'orders/order-note',
		'orders/routes',
		'orders/order-calls',
		'pairing/show-pairing',
		'pairing/owner-pages',
		'decisions/waiting-orders',
		'decisions/order-decision',
		'decisions/cancelled-order',
		'decisions/order-list',
		'emails/register',
		'refunds/refund',
		'refunds/shown-refunds',
		'refunds/record-refund',
		'order-screen/order-box',
		'order-screen/answer-order-box',
		'privacy/personal-data',
		'privacy/export',
		'privacy/erase',
		'settings/fields',
		'settings/newest-order',
		'settings/decimals',
		'settings/copy-of-site',
		'settings/show-health',
		'settings/admin-ajax',
	);
	foreach ( $parts as $part ) {
		require_once __DIR__ . "/$part.php";
	}
	tillkit_host( new Tillkit_Wordpress_Host() );
}

/** The plugin supports orders in their own tables (HPOS) and the block checkout. */
function tillkit_declare_compatibility(): void {
	if ( ! class_exists( \Automattic\WooCommerce\Utilities\FeaturesUtil::class ) ) {
		return;
	}
	foreach ( array( 'custom_order_tables', 'cart_checkout_blocks' ) as $feature ) {
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( $feature, TILLKIT_PLUGIN_FILE, true );
	}
}

function tillkit_show_woocommerce_notice(): void {
	if ( ! current_user_can( 'activate_plugins' ) ) {
		return;
	}
	$text = __( 'Tillkit Checkout needs WooCommerce 8.2 or newer: install or update WooCommerce.', 'tillkit-checkout' );
	echo '<div class="notice notice-error"><p>' . esc_html( $text ) . '</p></div>';
}

function tillkit_load_translations(): void {
	load_plugin_textdomain( 'tillkit-checkout', false, dirname( plugin_basename( TILLKIT_PLUGIN_FILE ) ) . '/languages' );
}

/** Uses the French translation for every French locale, such as those of Belgium and Canada. */
function tillkit_translation_file( $file, $domain ) {
	$french    = __DIR__ . '/languages/tillkit-checkout-fr_FR.mo';
	$is_french = 'tillkit-checkout' === $domain && preg_match( '/-fr(_\w+)?\.mo\z/', (string) $file );
	return $is_french && ! is_readable( $file ) ? $french : $file;
}

function tillkit_add_gateway( array $gateways ): array {
	$gateways[] = 'Tillkit_Gateway';
	return $gateways;
}

function tillkit_settings_url(): string {
	return admin_url( 'admin.php?page=wc-settings&tab=checkout&section=tillkit' );
}

function tillkit_add_settings_link( array $links ): array {
	$text = __( 'Settings', 'tillkit-checkout' );
	array_unshift( $links, '<a href="' . esc_url( tillkit_settings_url() ) . '">' . esc_html( $text ) . '</a>' );
	return $links;
}
