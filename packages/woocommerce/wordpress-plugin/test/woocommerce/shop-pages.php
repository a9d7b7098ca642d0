<?php
/** WooCommerce's thank-you page in the shop. */

defined( 'ABSPATH' ) || exit;

function fake_show_shop_page(): void {
	$order = wc_get_order( isset( $_GET['order-received'] ) ? absint( $_GET['order-received'] ) : 0 );
	$key   = isset( $_GET['key'] ) ? sanitize_text_field( wp_unslash( $_GET['key'] ) ) : '';
	if ( ! $order instanceof WC_Order || ! hash_equals( $order->get_order_key(), $key ) ) {
		return;
	}
	echo '<!doctype html><html ';
	language_attributes();
	echo '><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Order received</title>';
	wp_head();
	echo '</head><body><h1>Order received</h1>';
	do_action( 'woocommerce_before_thankyou', $order->get_id() );
	echo '<p>' . wp_kses_post( apply_filters( 'woocommerce_thankyou_order_received_text', 'Thank you. Your order has been received.', $order ) ) . '</p>';
	do_action( 'woocommerce_thankyou_' . $order->get_payment_method(), $order->get_id() );
	do_action( 'woocommerce_thankyou', $order->get_id() );
	wp_footer();
	echo '</body></html>';
	exit;
}
