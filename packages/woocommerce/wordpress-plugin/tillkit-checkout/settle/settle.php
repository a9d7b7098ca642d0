<?php
/** Marks an order paid, once. The only place that does. */

defined( 'ABSPATH' ) || exit;

/** A writer with a lower number waits so many seconds behind a newer one. */
const TILLKIT_FENCE_LIFE = 600;

/**
 * To be called under the order's lock, which is held until the answer is made.
 *
 * @param array $wish As tillkit_read_wish() gives it.
 * @param int   $now  Seconds since 1970.
 * @return array|WP_Error The answer: recorded, already, other-payment, not-payable or gone.
 */
function tillkit_settle( array $wish, int $now ) {
	$order = tillkit_fresh_order( (int) $wish['order'] );
	if ( null === $order || ! hash_equals( (string) $order->get_order_key(), $wish['key'] ) ) {
		return tillkit_outcome( 'gone', $wish, null );
	}
	$paid_by = tillkit_paid_by( $order );
	if ( null !== $paid_by ) {
		return tillkit_outcome( $paid_by === $wish['payment'] ? 'already' : 'other-payment', $wish, $order );
	}
	if ( tillkit_newer_writer_is_at_work( $order, $wish['fence'], $now ) ) {
		return new WP_Error( 'tillkit_older_writer', __( 'A newer writer was here a moment ago.', 'tillkit-checkout' ), array( 'status' => 409 ) );
	}
	if ( ! tillkit_can_be_paid( $order, $wish ) ) {
		return tillkit_outcome( 'not-payable', $wish, $order );
	}
	return tillkit_record_payment( $order, $wish, $now );
}

/** The payment that the order shows, "outside" when it was paid by something else, null while it is unpaid. */
function tillkit_paid_by( WC_Order $order ): ?string {
	if ( ! $order->get_date_paid() ) {
		return null;
	}
	$payment = 'tillkit' === $order->get_payment_method() ? (string) $order->get_meta( '_tillkit_payment_id' ) : '';
	return '' === $payment ? 'outside' : $payment;
}

/** A lower number counts again after a while: a companion whose records were restored from a backup counts anew. */
function tillkit_newer_writer_is_at_work( WC_Order $order, int $fence, int $now ): bool {
	if ( ! preg_match( '/^([0-9]{1,18}) ([0-9]{1,12})\z/', (string) $order->get_meta( '_tillkit_fence' ), $seen ) ) {
		return false;
	}
	return (int) $seen[1] > $fence && $now - (int) $seen[2] < TILLKIT_FENCE_LIFE;
}

/** On hold is payable: there other methods wait for money, and there the companion puts what the owner has to look at. */
function tillkit_can_be_paid( WC_Order $order, array $wish ): bool {
	return in_array( $order->get_status(), array( 'pending', 'failed', 'on-hold', 'checkout-draft' ), true )
		&& tillkit_total_text( $order ) === $wish['amount']
		&& $order->get_currency() === $wish['currency'];
}

/** @return array|WP_Error */
function tillkit_record_payment( WC_Order $order, array $wish, int $now ) {
	$order->update_meta_data( '_tillkit_payment_id', $wish['payment'] );
	$order->update_meta_data( '_tillkit_fence', $wish['fence'] . ' ' . $now );
	$order->set_payment_method( 'tillkit' );
	$order->set_payment_method_title( ( new Tillkit_Gateway() )->get_title() );
	if ( 'checkout-draft' === $order->get_status() ) {
		$order->set_status( 'pending' );
	}
	$order->save();
	$order->payment_complete( $wish['transaction'] );

	$read = tillkit_fresh_order( $order->get_id() );
	if ( null === $read || ! $read->get_date_paid() ) {
		return new WP_Error( 'tillkit_not_recorded', __( 'WooCommerce did not mark the order paid: look into its logs.', 'tillkit-checkout' ), array( 'status' => 500 ) );
	}
	/* translators: 1: the payment's id, 2: the transaction's id */
	$read->add_order_note( sprintf( __( 'Paid with Tillkit. Payment %1$s, transaction %2$s.', 'tillkit-checkout' ), $wish['payment'], $wish['transaction'] ) );
	return tillkit_outcome( 'recorded', $wish, $read );
}

/** Order, payment and fence are those of the request, so that no cache can answer. */
function tillkit_outcome( string $outcome, array $wish, ?WC_Order $order ): array {
	$date = $order ? $order->get_date_paid() : null;
	return array(
		'outcome'   => $outcome,
		'order'     => $wish['order'],
		'payment'   => $wish['payment'],
		'fence'     => $wish['fence'],
		'status'    => $order ? $order->get_status() : null,
		'date_paid' => $date ? $date->getTimestamp() : null,
		'paid_by'   => $order ? tillkit_paid_by( $order ) : null,
	);
}
