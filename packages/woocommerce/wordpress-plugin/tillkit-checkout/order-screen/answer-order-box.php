<?php
/** Answers the buttons of the order box. */

defined( 'ABSPATH' ) || exit;

function tillkit_answer_order_box(): void {
	tillkit_require_admin_request( 'tillkit_order', 'edit_shop_orders' );
	$order = wc_get_order( absint( tillkit_posted_text( 'order' ) ) );
	if ( ! $order instanceof WC_Order || ! tillkit_is_own_order( $order ) ) {
		tillkit_send_admin_html( '', 404 );
		return;
	}
	$posted = array_combine( TILLKIT_PANEL_FIELDS, array_map( 'tillkit_posted_text', TILLKIT_PANEL_FIELDS ) );
	tillkit_send_admin_answer( tillkit_answer_order_panel( tillkit_order( $order ), tillkit_posted_text( 'purpose' ), $posted, $order->is_paid() ) );
}

/** A field of the request whose nonce tillkit_require_admin_request() has verified. Plain text of at most 200 characters. */
function tillkit_posted_text( string $name ): string {
	// phpcs:ignore WordPress.Security.NonceVerification.Missing, WordPress.Security.ValidatedSanitizedInput -- Verified by the caller; every use checks the form of the text.
	$value = $_POST[ $name ] ?? '';
	return is_string( $value ) ? substr( trim( wp_unslash( $value ) ), 0, 200 ) : '';
}
