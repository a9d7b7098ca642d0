<?php
/** The payment status at the top of the thank-you page and of the page where an order is paid. It polls while it can change. */

defined( 'ABSPATH' ) || exit;

function tillkit_add_shopper_page_hooks(): void {
	add_action( 'woocommerce_before_thankyou', 'tillkit_show_payment_status' );
	add_filter( 'woocommerce_thankyou_order_received_text', 'tillkit_change_received_text', 20, 2 );
	add_filter( 'woocommerce_thankyou_order_received_title', 'tillkit_change_received_title', 20, 2 );
	add_filter( 'woocommerce_endpoint_order-received_title', 'tillkit_change_page_title', 20 );
	add_action( 'before_woocommerce_pay', 'tillkit_show_pay_page_status', 5 );
	add_filter( 'render_block_woocommerce/checkout', 'tillkit_add_status_to_checkout_block' );
}

/** WooCommerce has verified the order key before it shows this page. */
function tillkit_show_payment_status( $order_id ): void {
	$order = wc_get_order( $order_id );
	if ( $order instanceof WC_Order && tillkit_is_own_method( (string) $order->get_payment_method() ) ) {
		add_filter( 'woocommerce_order_has_status', 'tillkit_own_the_thank_you_page', 10, 3 );
		tillkit_show_status_notice( $order, tillkit_first_shopper_status( $order ) ?? 'waiting', 'thankyou' );
	}
}

/**
 * WooCommerce's page says of a failed order that it cannot be processed, beside our notice and with a second button, and goes on saying so
 * after a late payment has arrived. The notice says what is true and offers to pay again.
 */
function tillkit_own_the_thank_you_page( $has_status, $order, $status ) {
	return 'failed' === $status && $order instanceof WC_Order && tillkit_is_own_method( (string) $order->get_payment_method() ) ? false : $has_status;
}

/** A shopper who has never started a payment of this order sees no notice. */
function tillkit_show_pay_page_status(): void {
	$order = tillkit_order_of_page( 'order-pay' );
	if ( null === $order || '' === (string) $order->get_meta( '_tillkit_return_url' ) || wp_style_is( 'tillkit-notice' ) ) {
		return;
	}
	// The last known status could say that nothing was charged although a payment has arrived since.
	tillkit_show_status_notice( $order, tillkit_shopper_status_from_order( $order ) ?? 'unknown', 'pay' );
}

/** Some themes with blocks show the page without WooCommerce's own action. A notice that is there already is not repeated. */
function tillkit_add_status_to_checkout_block( $content ) {
	ob_start();
	tillkit_show_pay_page_status();
	return ob_get_clean() . $content;
}

/** The order of a page of the shop, if its address has the key of the order. */
function tillkit_order_of_page( string $endpoint ): ?WC_Order {
	$order = wc_get_order( absint( get_query_var( $endpoint ) ) );
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- The key of the order in the address takes the place of a nonce.
	$key = isset( $_GET['key'] ) && is_string( $_GET['key'] ) ? sanitize_text_field( wp_unslash( $_GET['key'] ) ) : '';
	return $order instanceof WC_Order && hash_equals( (string) $order->get_order_key(), $key ) ? $order : null;
}

/** @param string $place thankyou or pay */
function tillkit_show_status_notice( WC_Order $order, string $status, string $place ): void {
	$poll  = null;
	$links = array(
		'pay'   => $order->get_checkout_payment_url(),
		'again' => $order->get_checkout_order_received_url(),
	);
	wp_enqueue_style( 'tillkit-notice', plugins_url( 'bridge/shopper/notice.css', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION );
	if ( null === tillkit_shopper_status_from_order( $order ) ) {
		wp_enqueue_script( 'tillkit-wait', plugins_url( 'bridge/shopper/wait.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
		$poll = array(
			'url'    => rest_url( 'tillkit/v1/wait' ),
			'order'  => (string) $order->get_id(),
			'key'    => (string) $order->get_order_key(),
			'failed' => 'failed' === $order->get_status() ? 'yes' : '',
		);
	}
	// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- The bridge escapes every part.
	echo tillkit_status_notice_html( $status, $place, $links, $poll );
}

/** @param WC_Order|false|null $order False or null if the visitor may not see the order. */
function tillkit_change_received_text( $text, $order = null ) {
	return tillkit_thank_you_text( $text, $order, 'received' );
}

/** @param WC_Order|false|null $order */
function tillkit_change_received_title( $title, $order = null ) {
	return tillkit_thank_you_text( $title, $order, 'title' );
}

/** The title of the page in themes without blocks. */
function tillkit_change_page_title( $title ) {
	return tillkit_thank_you_text( $title, tillkit_order_of_page( 'order-received' ), 'title' );
}

/** While the order is paid, WooCommerce's own text stays: other plugins may have changed it. */
function tillkit_thank_you_text( $text, $order, string $name ) {
	if ( ! $order instanceof WC_Order || ! tillkit_is_own_method( (string) $order->get_payment_method() ) ) {
		return $text;
	}
	$status = tillkit_first_shopper_status( $order ) ?? 'waiting';
	return in_array( $status, array( 'paid', 'paid_otherwise' ), true ) ? $text : esc_html( tillkit_shopper_answer( $status, 'thankyou' )[ $name ] );
}
