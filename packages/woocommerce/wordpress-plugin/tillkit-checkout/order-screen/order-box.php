<?php
/** The box on the order screen: what was paid, the decisions about it, and the timeline. */

defined( 'ABSPATH' ) || exit;

/** Works for orders in their own tables (HPOS) and for orders stored as posts. */
function tillkit_add_order_box( $screen, $post_or_order = null ): void {
	$order = tillkit_order_of_screen( $screen, $post_or_order );
	if ( null === $order || ! tillkit_is_own_order( $order ) ) {
		return;
	}
	wp_enqueue_script( 'tillkit-admin', plugins_url( 'settings/admin.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
	wp_enqueue_style( 'tillkit-order-box', plugins_url( 'order-screen/order-box.css', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION );
	add_meta_box(
		'tillkit-order',
		__( 'Tillkit payment', 'tillkit-checkout' ),
		static function () use ( $order ): void {
			tillkit_show_order_box( $order );
		},
		$screen,
		'side',
		// Above the notes of the order.
		'high'
	);
}

function tillkit_order_of_screen( $screen, $post_or_order ): ?WC_Order {
	$hpos_screen = function_exists( 'wc_get_page_screen_id' ) ? wc_get_page_screen_id( 'shop-order' ) : '';
	if ( ! in_array( $screen, array( 'shop_order', $hpos_screen ), true ) ) {
		return null;
	}
	$order = $post_or_order instanceof WP_Post ? wc_get_order( $post_or_order->ID ) : $post_or_order;
	return $order instanceof WC_Order ? $order : null;
}

/** Also true for an order whose shopper began to pay with this method and paid otherwise: a payment may still arrive. */
function tillkit_is_own_order( WC_Order $order ): bool {
	return tillkit_is_own_method( (string) $order->get_payment_method() ) || '' !== (string) $order->get_meta( '_tillkit_return_url' );
}

/** The contents are loaded after the page, so a slow checkout server does not slow the order screen. */
function tillkit_show_order_box( WC_Order $order ): void {
	printf(
		'<div class="tillkit-box" data-tillkit-call data-url="%s" data-action="tillkit_order" data-nonce="%s" data-order="%s" data-load="yes" data-failure-text="%s">',
		esc_url( admin_url( 'admin-ajax.php' ) ),
		esc_attr( wp_create_nonce( 'tillkit_order' ) ),
		esc_attr( (string) $order->get_id() ),
		esc_attr__( 'The shop did not answer. Reload this page.', 'tillkit-checkout' )
	);
	tillkit_show_warnings( $order );
	echo '<div data-tillkit-answer aria-live="polite"><p>' . esc_html__( 'Loading…', 'tillkit-checkout' ) . '</p></div>';
	echo '<p><button type="button" class="button" data-tillkit-purpose="check">' . esc_html__( 'Check now', 'tillkit-checkout' ) . '</button></p></div>';
}

/** Warnings from the data of the order. */
function tillkit_show_warnings( WC_Order $order ): void {
	$reasons = array(
		'refund_failed'       => __( 'A refund that this order shows has failed. See the order notes.', 'tillkit-checkout' ),
		'refund_not_recorded' => __( 'Money was refunded, but WooCommerce refused to record the refund. See the order notes.', 'tillkit-checkout' ),
		'payment_unfinished'  => __( 'The shop was interrupted while this order was set to paid: check its stock and its e-mails. See the order notes.', 'tillkit-checkout' ),
		'cancelled_paid'      => __( 'This order is cancelled, and its payment is still here. Refund it if the customer is to get it back.', 'tillkit-checkout' ),
		'lost_to_dispute'     => __( 'A dispute took the money of this order back. Do not ship it, or set it to Pending so that the customer can pay again.', 'tillkit-checkout' ),
	);
	$attention = (string) $order->get_meta( '_tillkit_attention' );
	$refund    = tillkit_unconfirmed_refund( $order );
	if ( '' !== $attention ) {
		tillkit_show_warning( $reasons[ $attention ] ?? $attention, __( 'I have taken care of it', 'tillkit-checkout' ) );
	}
	if ( null !== $refund && $refund['is_order_unknown'] ) {
		/* translators: %s: an amount */
		$text = __( 'A refund of %s is not confirmed, and the checkout server no longer knows the payment of this order. See in the payment service’s dashboard whether the money went back. Then say what you saw, so that this order can be refunded again.', 'tillkit-checkout' );
		tillkit_show_warning( sprintf( $text, $refund['amount'] ) );
		tillkit_show_refund_answers();
	} elseif ( null !== $refund ) {
		/* translators: %s: an amount */
		tillkit_show_warning( sprintf( __( 'A refund of %s is not confirmed. Refund the same amount again: the money is not refunded twice.', 'tillkit-checkout' ), $refund['amount'] ) );
	}
}

/** @param string $done The text of a button that ends the warning; without a text there is no button. */
function tillkit_show_warning( string $text, string $done = '' ): void {
	echo '<div class="notice notice-warning inline"><p>' . esc_html( $text ) . '</p>';
	if ( '' !== $done ) {
		echo '<p><button type="button" class="button" data-tillkit-purpose="done">' . esc_html( $done ) . '</button></p>';
	}
	echo '</div>';
}
