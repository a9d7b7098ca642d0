<?php
/** The box on the order screen: the payment timeline and the button "Check now". */

defined( 'ABSPATH' ) || exit;

/** Works for orders in their own tables (HPOS) and for orders stored as posts. */
function tillkit_add_order_box( $screen, $post_or_order = null ): void {
	$order = tillkit_order_of_screen( $screen, $post_or_order );
	if ( null === $order || ! tillkit_is_own_order( $order ) ) {
		return;
	}
	wp_enqueue_script( 'tillkit-admin', plugins_url( 'settings/admin.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
	add_meta_box(
		'tillkit-order',
		__( 'Tillkit payment', 'tillkit-checkout' ),
		static function () use ( $order ): void {
			tillkit_show_order_box( $order );
		},
		$screen,
		'side'
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
	return 'tillkit' === $order->get_payment_method() || '' !== (string) $order->get_meta( '_tillkit_return_url' );
}

/** The timeline is loaded after the page, so a slow checkout server does not slow the order screen. */
function tillkit_show_order_box( WC_Order $order ): void {
	tillkit_show_warnings( $order );
	printf(
		'<div data-tillkit-call data-url="%s" data-action="tillkit_order" data-nonce="%s" data-order="%s" data-load="yes" data-failure-text="%s">',
		esc_url( admin_url( 'admin-ajax.php' ) ),
		esc_attr( wp_create_nonce( 'tillkit_order' ) ),
		esc_attr( (string) $order->get_id() ),
		esc_attr__( 'The shop did not answer. Reload this page.', 'tillkit-checkout' )
	);
	echo '<div data-tillkit-answer aria-live="polite"><p>' . esc_html__( 'Loading…', 'tillkit-checkout' ) . '</p></div>';
	echo '<p><button type="button" class="button" data-tillkit-purpose="check">' . esc_html__( 'Check now', 'tillkit-checkout' ) . '</button></p></div>';
}

/** Warnings from the data of the order. */
function tillkit_show_warnings( WC_Order $order ): void {
	$reasons = array(
		'refund_failed'       => __( 'A refund that this order shows has failed. See the order notes.', 'tillkit-checkout' ),
		'refund_not_recorded' => __( 'Money was refunded, but WooCommerce refused to record the refund. See the order notes.', 'tillkit-checkout' ),
	);
	$attention = (string) $order->get_meta( '_tillkit_attention' );
	$refund    = tillkit_unconfirmed_refund( $order );
	if ( '' !== $attention ) {
		tillkit_show_warning( $reasons[ $attention ] ?? $attention );
	}
	if ( null !== $refund ) {
		/* translators: %s: an amount */
		tillkit_show_warning( sprintf( __( 'A refund of %s is not confirmed. Refund the same amount again: the money is not refunded twice.', 'tillkit-checkout' ), $refund['amount'] ) );
	}
}

function tillkit_show_warning( string $text ): void {
	echo '<div class="notice notice-warning inline"><p>' . esc_html( $text ) . '</p></div>';
}

/** With `purpose=check` the checkout server first verifies the payments at the service and marks a paid order paid. */
function tillkit_answer_order_box(): void {
	tillkit_require_admin_request( 'tillkit_order', 'edit_shop_orders' );
	// phpcs:ignore WordPress.Security.NonceVerification.Missing -- tillkit_require_admin_request() has verified it.
	$order = wc_get_order( absint( $_POST['order'] ?? 0 ) );
	if ( ! $order instanceof WC_Order || ! tillkit_is_own_order( $order ) ) {
		tillkit_send_admin_html( '', 404 );
		return;
	}
	// phpcs:ignore WordPress.Security.NonceVerification.Missing -- tillkit_require_admin_request() has verified it.
	$purpose = 'check' === ( $_POST['purpose'] ?? '' ) ? 'check' : 'status';
	$answer  = tillkit_call_checkout_server(
		$purpose,
		array(
			'order'    => (string) $order->get_id(),
			'key'      => (string) $order->get_order_key(),
			'language' => tillkit_language(),
		)
	);
	tillkit_send_admin_html( is_wp_error( $answer ) ? tillkit_warning_html( $answer ) : tillkit_order_timeline_html( $answer ) );
}
