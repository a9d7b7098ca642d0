<?php
/** The box beside an order: what happened to its payment, and "check now". */

defined( 'ABSPATH' ) || exit;

/** On the screen of orders in their own tables, and on the one of orders kept as posts. */
function tillkit_add_order_box( $screen, $post_or_order = null ): void {
	$order = tillkit_order_of_screen( $screen, $post_or_order );
	if ( null === $order || ! tillkit_concerns( $order ) ) {
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
	$own_tables = function_exists( 'wc_get_page_screen_id' ) ? wc_get_page_screen_id( 'shop-order' ) : '';
	if ( ! in_array( $screen, array( 'shop_order', $own_tables ), true ) ) {
		return null;
	}
	$order = $post_or_order instanceof WP_Post ? wc_get_order( $post_or_order->ID ) : $post_or_order;
	return $order instanceof WC_Order ? $order : null;
}

/** Also an order that was begun here and then paid otherwise: money may still arrive for it. */
function tillkit_concerns( WC_Order $order ): bool {
	return 'tillkit' === $order->get_payment_method() || '' !== (string) $order->get_meta( '_tillkit_return_url' );
}

/** The story is fetched after the page is shown: an order opens as fast as ever when the companion is slow. */
function tillkit_show_order_box( WC_Order $order ): void {
	tillkit_show_warnings( $order );
	printf(
		'<div data-tillkit-call data-url="%s" data-action="tillkit_order" data-nonce="%s" data-order="%s" data-now="yes" data-lost="%s">',
		esc_url( admin_url( 'admin-ajax.php' ) ),
		esc_attr( wp_create_nonce( 'tillkit_order' ) ),
		esc_attr( (string) $order->get_id() ),
		esc_attr__( 'The shop did not answer. Reload this page.', 'tillkit-checkout' )
	);
	echo '<div data-tillkit-answer aria-live="polite"><p>' . esc_html__( 'Asking the companion…', 'tillkit-checkout' ) . '</p></div>';
	echo '<p><button type="button" class="button" data-tillkit-ask="check">' . esc_html__( 'Check now', 'tillkit-checkout' ) . '</button></p></div>';
}

/** What the shop knows by itself. */
function tillkit_show_warnings( WC_Order $order ): void {
	$reasons   = array(
		'refund_failed'       => __( 'A refund that this order shows failed afterwards: see the order notes.', 'tillkit-checkout' ),
		'refund_not_recorded' => __( 'Money was given back, but WooCommerce refused to record it: see the order notes.', 'tillkit-checkout' ),
	);
	$attention = (string) $order->get_meta( '_tillkit_attention' );
	$doubt     = tillkit_refund_doubt( $order );
	if ( '' !== $attention ) {
		tillkit_show_warning( $reasons[ $attention ] ?? $attention );
	}
	if ( null !== $doubt ) {
		/* translators: %s: an amount */
		tillkit_show_warning( sprintf( __( 'The answer to a refund of %s was lost. Refund the same amount again: it will not be given back twice.', 'tillkit-checkout' ), $doubt['amount'] ) );
	}
}

function tillkit_show_warning( string $text ): void {
	echo '<div class="notice notice-warning inline"><p>' . esc_html( $text ) . '</p></div>';
}

/** `ask=check` reads the payments at the service first, and marks the order paid if it is. */
function tillkit_answer_order_box(): void {
	tillkit_admit_admin( 'tillkit_order', 'edit_shop_orders' );
	// phpcs:ignore WordPress.Security.NonceVerification.Missing -- tillkit_admit_admin() has verified it.
	$order = wc_get_order( absint( $_POST['order'] ?? 0 ) );
	if ( ! $order instanceof WC_Order || ! tillkit_concerns( $order ) ) {
		tillkit_tell_admin( '', 404 );
		return;
	}
	// phpcs:ignore WordPress.Security.NonceVerification.Missing -- tillkit_admit_admin() has verified it.
	$purpose = 'check' === ( $_POST['ask'] ?? '' ) ? 'check' : 'status';
	$answer  = tillkit_ask(
		$purpose,
		array(
			'order'    => (string) $order->get_id(),
			'key'      => (string) $order->get_order_key(),
			'language' => tillkit_language(),
		)
	);
	tillkit_tell_admin( is_wp_error( $answer ) ? tillkit_warning_html( $answer ) : tillkit_order_story_html( $answer ) );
}
