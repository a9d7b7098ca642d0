<?php
/** Marks an order paid, once. The only place that does. */

defined( 'ABSPATH' ) || exit;

/** A writer with a lower number waits so many seconds behind a newer one. */
const TILLKIT_FENCE_LIFE = 600;

/** On hold is payable: there other methods wait for money, and there the companion puts what the owner has to look at. */
const TILLKIT_PAYABLE_STATUSES = array( 'pending', 'failed', 'on-hold', 'checkout-draft' );

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
	$accepts = $wish['already_paid'] && in_array( $paid_by, array( 'owner', 'unclear' ), true );
	if ( null !== $paid_by && ! $accepts ) {
		if ( tillkit_is_late_hold( $order ) ) {
			tillkit_restore_decision( $order );
		}
		return tillkit_outcome( $paid_by === $wish['payment'] ? 'already' : 'other-payment', $wish, $order );
	}
	if ( tillkit_newer_writer_is_at_work( $order, $wish['fence'], $now ) ) {
		return new WP_Error( 'tillkit_older_writer', __( 'A newer writer was here a moment ago.', 'tillkit-checkout' ), array( 'status' => 409 ) );
	}
	if ( ! ( $accepts || in_array( $order->get_status(), TILLKIT_PAYABLE_STATUSES, true ) ) || ! tillkit_asks_for( $order, $wish ) ) {
		return tillkit_outcome( 'not-payable', $wish, $order );
	}
	if ( $accepts ) {
		return tillkit_name_payment( $order, $wish, $now );
	}
	if ( $wish['already_paid'] ) {
		return new WP_Error( 'tillkit_not_set_to_paid', __( 'The order is not set to paid any more.', 'tillkit-checkout' ), array( 'status' => 409 ) );
	}
	return tillkit_record_payment( $order, $wish, $now );
}

/** A lower number counts again after a while: a companion whose records were restored from a backup counts anew. */
function tillkit_newer_writer_is_at_work( WC_Order $order, int $fence, int $now ): bool {
	if ( ! preg_match( '/^([0-9]{1,18}) ([0-9]{1,12})\z/', (string) $order->get_meta( '_tillkit_fence' ), $seen ) ) {
		return false;
	}
	return (int) $seen[1] > $fence && $now - (int) $seen[2] < TILLKIT_FENCE_LIFE;
}

/** Whether the order still asks for what the companion read. */
function tillkit_asks_for( WC_Order $order, array $wish ): bool {
	return tillkit_total_text( $order ) === $wish['amount'] && $order->get_currency() === $wish['currency'];
}

/**
 * The owner set the order to paid by hand, and this payment counts as accepted: it is named on the order. Status, stock and
 * e-mails stay as they are, unless a hold of ours had landed on the owner's status.
 */
function tillkit_name_payment( WC_Order $order, array $wish, int $now ): array {
	tillkit_write_proof( $order, $wish, $now );
	$order->set_transaction_id( $wish['transaction'] );
	if ( tillkit_is_late_hold( $order ) ) {
		tillkit_restore_decision( $order );
	} else {
		$order->delete_meta_data( '_tillkit_hold' );
		$order->save();
	}
	/* translators: 1: the payment's id, 2: the transaction's id */
	$order->add_order_note( sprintf( __( 'Tillkit payment %1$s, transaction %2$s: accepted as you set the order to paid.', 'tillkit-checkout' ), $wish['payment'], $wish['transaction'] ) );
	$read = tillkit_fresh_order( $order->get_id() );
	return tillkit_outcome( 'recorded', $wish, $read );
}

/** Which payment it is, and who wrote it. */
function tillkit_write_proof( WC_Order $order, array $wish, int $now ): void {
	$order->update_meta_data( '_tillkit_payment_id', $wish['payment'] );
	$order->update_meta_data( '_tillkit_fence', $wish['fence'] . ' ' . $now );
	$order->set_payment_method( 'tillkit' );
	$order->set_payment_method_title( ( new Tillkit_Gateway() )->get_title() );
}

/** @return array|WP_Error */
function tillkit_record_payment( WC_Order $order, array $wish, int $now ) {
	tillkit_write_proof( $order, $wish, $now );
	$order->delete_meta_data( '_tillkit_hold' );
	if ( 'checkout-draft' === $order->get_status() ) {
		$order->set_status( 'pending' );
	}
	$order->save();
	$order->payment_complete( $wish['transaction'] );

	$read = tillkit_fresh_order( $order->get_id() );
	// A date of payment can be an old one: an order that was set to paid and taken back keeps it.
	if ( null === $read || ! $read->get_date_paid() || in_array( $read->get_status(), array( 'pending', 'failed' ), true ) ) {
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
		'outcome'      => $outcome,
		'order'        => $wish['order'],
		'payment'      => $wish['payment'],
		'fence'        => $wish['fence'],
		'already_paid' => $wish['already_paid'],
		'status'       => $order ? $order->get_status() : null,
		'date_paid'    => $date ? $date->getTimestamp() : null,
		'paid_by'      => $order ? tillkit_paid_by( $order ) : null,
	);
}
