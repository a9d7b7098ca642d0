<?php
/** WooCommerce's pages in the administration, with the screens, nonces and capabilities of WooCommerce. */

defined( 'ABSPATH' ) || exit;

function fake_add_admin_pages(): void {
	add_menu_page( 'WooCommerce', 'WooCommerce', 'edit_shop_orders', 'woocommerce', '__return_null' );
	add_submenu_page( 'woocommerce', 'Orders', 'Orders', 'edit_shop_orders', 'wc-orders', 'fake_show_order_screen' );
	$settings = add_submenu_page( 'woocommerce', 'Settings', 'Settings', 'manage_woocommerce', 'wc-settings', 'fake_show_settings' );
	add_action( "load-$settings", 'fake_save_settings' );
}

function fake_settings_gateway(): ?WC_Payment_Gateway {
	$section = isset( $_GET['section'] ) ? sanitize_key( $_GET['section'] ) : '';
	return fake_gateways()[ $section ] ?? null;
}

function fake_save_settings(): void {
	$gateway = fake_settings_gateway();
	if ( ! isset( $_POST['save'] ) || null === $gateway ) {
		return;
	}
	check_admin_referer( 'woocommerce-settings' );
	do_action( 'woocommerce_update_options_payment_gateways_' . $gateway->id );
}

function fake_show_settings(): void {
	foreach ( Stubs::$errors as $error ) {
		echo '<div class="error inline"><p><strong>' . esc_html( $error ) . '</strong></p></div>';
	}
	$gateway = fake_settings_gateway();
	if ( null === $gateway ) {
		return;
	}
	$gateway->init_settings();
	echo '<div class="wrap woocommerce"><form method="post" id="mainform" action="" enctype="multipart/form-data">';
	$gateway->admin_options();
	echo '<p class="submit"><button name="save" class="button-primary" type="submit" value="Save changes">Save changes</button>';
	wp_nonce_field( 'woocommerce-settings' );
	echo '</p></form></div>';
}

function fake_show_order_screen(): void {
	$order = wc_get_order( isset( $_GET['id'] ) ? absint( $_GET['id'] ) : 0 );
	if ( ! $order instanceof WC_Order ) {
		echo '<div class="wrap"><h1>Orders</h1></div>';
		return;
	}
	$screen = wc_get_page_screen_id( 'shop-order' );
	do_action( 'add_meta_boxes', $screen, $order );
	do_action( "add_meta_boxes_$screen", $order );
	echo '<div class="wrap"><h1>Edit order</h1><div id="poststuff">';
	foreach ( array( 'normal', 'side', 'advanced' ) as $context ) {
		do_meta_boxes( $screen, $context, $order );
	}
	echo '</div></div>';
}
