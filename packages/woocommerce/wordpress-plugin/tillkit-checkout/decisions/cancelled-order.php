<?php
/** A cancelled order whose payment is still here: nothing else tells the owner that the customer has not got the money back. */

defined( 'ABSPATH' ) || exit;

const TILLKIT_CANCELLED_PAID = 'cancelled_paid';

/** Follows each change of the status, each refund, and the news that the payment is no longer there. */
function tillkit_follow_cancelled_order( $order_id ): void {
	$order = wc_get_order( $order_id );
	if ( ! $order instanceof WC_Order ) {
		return;
	}
	$attention = (string) $order->get_meta( '_tillkit_attention' );
	$has_money = tillkit_has_money_of_cancelled_order( $order );
	if ( $has_money && '' === $attention ) {
		$order->update_meta_data( '_tillkit_attention', TILLKIT_CANCELLED_PAID );
		$order->save_meta_data();
		delete_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
		// Without the amount: WooCommerce counts the total, and the owner may have accepted a smaller payment.
		$order->add_order_note( __( 'The order is cancelled, and its payment is still here. Refund it with the button “Refund” if the customer is to get it back.', 'tillkit-checkout' ) );
	} elseif ( ! $has_money && TILLKIT_CANCELLED_PAID === $attention ) {
		tillkit_order( $order )->write_facts( array( 'attention' => '' ) );
	}
}

function tillkit_has_money_of_cancelled_order( WC_Order $order ): bool {
	$payment = 'cancelled' === $order->get_status() ? tillkit_own_payment( tillkit_order( $order ) ) : '';
	$is_here = '' !== $payment && $order->get_date_paid() && (string) $order->get_meta( TILLKIT_LOST_PAYMENT_META ) !== $payment;
	return $is_here && (float) $order->get_remaining_refund_amount() > 0;
}
