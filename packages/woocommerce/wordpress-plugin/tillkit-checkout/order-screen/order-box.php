<?php
/** The box on the order screen: what was paid, the decisions about it, and the timeline. */

defined( 'ABSPATH' ) || exit;

/** Works for orders in their own tables (HPOS) and for orders stored as posts. */
function tillkit_add_order_box( $screen, $post_or_order = null ): void {
	$order = tillkit_order_of_screen( $screen, $post_or_order );
	if ( null === $order || ! tillkit_is_own_order( $order ) ) {
		return;
	}
	wp_enqueue_script( 'tillkit-admin', plugins_url( 'bridge/order-panel/buttons.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
	wp_enqueue_style( 'tillkit-order-box', plugins_url( 'bridge/order-panel/order-panel.css', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION );
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
	$data = array(
		'url'    => admin_url( 'admin-ajax.php' ),
		'action' => 'tillkit_order',
		'nonce'  => wp_create_nonce( 'tillkit_order' ),
		'order'  => (string) $order->get_id(),
		'load'   => 'yes',
	);
	// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- The bridge escapes every part.
	echo tillkit_call_box_html( $data, array( 'check' => tillkit_text( 'Check now' ) ), tillkit_attention_html( $order ) . tillkit_unconfirmed_refund_html( tillkit_order( $order ) ) );
}

/** What the checkout server, or the shop, wrote to the order for its owner to look at. */
function tillkit_attention_html( WC_Order $order ): string {
	$reasons = array(
		'refund_failed'       => __( 'A refund that this order shows has failed. See the order notes.', 'tillkit-checkout' ),
		'refund_not_recorded' => __( 'Money was refunded, but WooCommerce refused to record the refund. See the order notes.', 'tillkit-checkout' ),
		'payment_unfinished'  => __( 'The shop was interrupted while this order was set to paid: check its stock and its e-mails. See the order notes.', 'tillkit-checkout' ),
		'cancelled_paid'      => __( 'This order is cancelled, and its payment is still here. Refund it if the customer is to get it back.', 'tillkit-checkout' ),
		'lost_to_dispute'     => __( 'A dispute took the money of this order back. Do not ship it, or set it to Pending so that the customer can pay again.', 'tillkit-checkout' ),
	);
	$attention = (string) $order->get_meta( '_tillkit_attention' );
	if ( '' === $attention ) {
		return '';
	}
	return '<div class="notice notice-warning inline"><p>' . esc_html( $reasons[ $attention ] ?? $attention ) . '</p>'
		. tillkit_decision_button_html( 'done', __( 'I have taken care of it', 'tillkit-checkout' ), 'button' ) . '</div>';
}
