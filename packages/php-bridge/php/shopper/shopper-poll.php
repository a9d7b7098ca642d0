<?php
/** The payment status that the shopper's pages poll. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** How long a status is remembered for each order, so that many open pages make few calls to the checkout server. */
const TILLKIT_STATUS_SECONDS = 4;

/** How long an order's pages do not call the checkout server again while it has not answered: longer than a call may take. */
const TILLKIT_STATUS_CALL_SECONDS = 30;

/** How long the last known status is kept, with which a page begins before it polls. */
const TILLKIT_KNOWN_STATUS_SECONDS = 3600;

/** The status from the checkout server. While the checkout server does not answer, the status is `unknown`. */
function tillkit_shopper_status_from_checkout_server( Tillkit_Order $order ): string {
	$name       = 'wait_' . $order->id();
	$remembered = tillkit_host()->recall( $name );
	if ( '' !== $remembered ) {
		return $remembered;
	}
	// Remembered before the call too, so that concurrent polls do not call the checkout server again.
	tillkit_host()->remember( $name, 'unknown', TILLKIT_STATUS_CALL_SECONDS );
	$answer = tillkit_call_about_order( 'status', $order );
	$status = $answer instanceof Tillkit_Error ? 'unknown' : tillkit_shopper_status( (array) ( $answer['payments'] ?? array() ) );
	tillkit_host()->remember( $name, $status, TILLKIT_STATUS_SECONDS );
	if ( 'unknown' !== $status ) {
		tillkit_host()->remember( 'wait_known_' . $order->id(), $status, TILLKIT_KNOWN_STATUS_SECONDS );
	}
	return $status;
}

/** The last known status, without a call; empty if none is known. */
function tillkit_known_shopper_status( Tillkit_Order $order ): string {
	return tillkit_host()->recall( 'wait_known_' . $order->id() );
}

/** Forgets the last known status, because it is about an earlier payment than the one that the shopper starts now. */
function tillkit_forget_shopper_status( Tillkit_Order $order ): void {
	tillkit_host()->remember( 'wait_known_' . $order->id(), '', 0 );
	tillkit_host()->remember( 'wait_' . $order->id(), '', 0 );
}
