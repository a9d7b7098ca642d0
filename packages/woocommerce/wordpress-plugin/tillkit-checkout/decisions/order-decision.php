<?php
/** A decision that the checkout server wrote to the order by WooCommerce's REST API. */

defined( 'ABSPATH' ) || exit;

/** Why money of the order waits for a decision of the owner. */
const TILLKIT_DECISION_META = '_tillkit_decision';

/** Follows what the checkout server wrote by WooCommerce's REST API: a decision, or that the payment of the order is no longer there. */
function tillkit_notice_rest_decision( $order, $request ): void {
	$meta = tillkit_checkout_server_meta( $request['meta_data'] ?? null );
	if ( $order instanceof WC_Order && isset( $meta[ TILLKIT_DECISION_META ] ) ) {
		delete_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
		tillkit_announce_decision( tillkit_order( $order ) );
	}
	if ( $order instanceof WC_Order && isset( $meta[ TILLKIT_LOST_PAYMENT_META ] ) ) {
		tillkit_follow_cancelled_order( $order->get_id() );
	}
}
